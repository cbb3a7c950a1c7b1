//! Operators of indices and masks.

use crate::types_by_product::Types;

/// An operator that finds elements by indices or by a mask, and moves or combines them without a conversion.
#[derive(Clone, Copy, Debug)]
pub struct Indexed {
    /// The types of the elements; operands and output have one type.
    pub takes: Types,
    /// The types of the indices, or of the mask.
    pub indices: Types,
    /// The types of the output, where the result is converted to one of them.
    pub output: Option<Types>,
}
