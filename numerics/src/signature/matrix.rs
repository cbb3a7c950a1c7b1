//! The rule of products of matrices.

use super::Output;
use crate::types_by_product::Types;

/// A product of matrices or vectors, which may be added to another tensor.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// The types of tensor operands.
    pub takes: Types,
    /// The types of the output.
    pub output: Output,
}
