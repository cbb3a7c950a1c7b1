//! Random numbers for tests that try many cases.

/// A generator with a fixed seed, so that a failure comes back.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Gives a number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}
