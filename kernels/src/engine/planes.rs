//! Planes of rows and columns that a body computes at once.

/// The planes that a body computes.
#[derive(Clone, Copy)]
pub struct Planes {
    /// The elements of the shortest rows that are worth while.
    pub shortest: usize,
    /// The least and the largest distance between neighbours in a row of an input; zero repeats one element.
    pub across: [isize; 2],
    /// Whether a processor computes them as soon as it reads them, so that stores past the caches pay early.
    pub are_soon: bool,
}

impl Planes {
    /// Returns whether neighbours in a row of an input may be at this distance.
    pub(crate) fn takes(&self, across: isize) -> bool {
        let [least, most] = self.across;
        (least..=most).contains(&across)
    }
}
