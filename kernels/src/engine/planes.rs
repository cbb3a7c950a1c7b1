//! Planes of rows and columns that a body computes at once.

/// The planes that a body computes.
#[derive(Clone, Copy)]
pub struct Planes {
    /// The elements of the shortest rows that are worth while.
    pub shortest: usize,
    /// The largest distance between neighbours in a row of an input; zero repeats one element.
    pub across: isize,
}
