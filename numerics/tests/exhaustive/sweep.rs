//! How much of its values a test goes over. With optimisation it is all of them. Without, a conversion takes about ten times
//! as long, and it is the edges and a share of the rest.

/// One of so many values is taken besides the edges; a prime, so that all patterns of the low bits occur.
pub(crate) const SHARE: usize = if cfg!(debug_assertions) { 17 } else { 1 };

/// Whether a code of 16 bits is taken. Edges are the neighbours of multiples of 64, with which every exponent of f16 and bf16
/// begins and where zeros, infinities and the ends of integers lie, and the smallest integers.
pub(crate) fn takes(code: u16) -> bool {
    let small = (-64..64).contains(&code.cast_signed());
    usize::from(code).is_multiple_of(SHARE) || code.wrapping_add(1) % 64 < 3 || small
}

/// The codes of 16 bits.
pub(crate) fn codes() -> impl Iterator<Item = u16> {
    (0..=u16::MAX).filter(|&code| takes(code))
}
