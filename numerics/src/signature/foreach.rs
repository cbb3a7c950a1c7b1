//! Operators of lists of tensors.

use crate::types_by_product::Types;

/// A function of the elements of each tensor of lists, which all have one type.
#[derive(Clone, Copy, Debug)]
pub struct Foreach {
    /// The types of the tensors.
    pub takes: Types,
}
