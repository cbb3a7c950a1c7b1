//! The reduction of an element and an element that is written to it.

/// The reduction of an element and an element that is written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Add,
    Mul,
    Max,
    Min,
    /// What is there divided by what is written, for floats.
    Div,
    Mean,
}
