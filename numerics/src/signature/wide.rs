//! The rule of what is computed in f32 or f64, whatever the types of the operands are.

use super::Output;
use crate::types_by_product::Types;

/// A function of whole tensors that is computed in f32, or in f64 where an operand is f64, and rounded once.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    /// The types of the operands that are computed with. Masks and indices have types of their own.
    pub takes: Types,
    /// The types of the first output.
    pub output: Output,
}
