//! The reduction of an element and an element that is written to it.

/// The reduction of an element and an element that is written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Add,
    Mul,
    Max,
    Min,
    /// The quotient of an element and the one that is written, for floats.
    Div,
    Mean,
}
