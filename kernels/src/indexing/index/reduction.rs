//! What becomes of an element and of what is written to it.

/// What becomes of an element and of what is written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Add,
    Mul,
    Max,
    Min,
    Mean,
}
