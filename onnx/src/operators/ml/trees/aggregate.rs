//! One number of several weights.

/// How the weights of the leaves that a row reaches become one.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Aggregate {
    Average,
    Sum,
    Min,
    Max,
}
