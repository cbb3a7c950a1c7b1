//! The rule of operators that move elements and compute nothing.

use super::Output;
use crate::types_by_product::Types;

/// An operator that copies elements to other places. Their bits stay, unless the output has another type.
#[derive(Clone, Copy, Debug)]
pub struct Movement {
    /// The types of tensor operands.
    pub takes: Types,
    /// The types of the output.
    pub output: Output,
}
