//! The rule of what is computed with whole matrices.

use super::Output;
use crate::types_by_product::Types;

/// A function of matrices or vectors that is computed in f64, complex numbers in pairs of f64 and integers as they are.
#[derive(Clone, Copy, Debug)]
pub struct Linalg {
    /// The types of the operands.
    pub takes: Types,
    /// The types of the outputs.
    pub output: Output,
}
