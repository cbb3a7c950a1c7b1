//! One number of several weights.

/// The rule by which the weights of the leaves that a row reaches become one.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Aggregate {
    Average,
    Sum,
    Min,
    Max,
}
