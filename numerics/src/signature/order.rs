//! Operators that order elements.

use crate::types_by_product::Types;

/// An operator that orders elements by their values, or searches among ordered ones.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The types of the elements.
    pub takes: Types,
    /// The types of the ordered elements in the output, where they are converted; otherwise they keep their type.
    pub values: Option<Types>,
}
