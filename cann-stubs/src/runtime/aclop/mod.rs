//! Arguments of the older interface, which calls operators by name: attributes, descriptions of tensors and data
//! buffers. `operators::by_name` has the calls.

mod attribute;
mod data_buffer;
mod tensor_description;

pub(crate) use attribute::{Attribute, Attributes, of as attributes};
pub(crate) use data_buffer::live;
pub(crate) use tensor_description::Description;

use crate::entry::EntryPoint;
use crate::status::Result;

/// The entry points of this module.
pub(super) const SYMBOLS: &[&[EntryPoint]] =
    &[attribute::SYMBOLS, data_buffer::SYMBOLS, tensor_description::SYMBOLS];

/// An operand: what it is, and where.
pub(crate) struct Operand {
    pub(crate) description: Description,
    pub(crate) address: usize,
    /// Bytes of its memory.
    pub(crate) size: usize,
}

impl Operand {
    /// The operand of two handles.
    pub(crate) fn of(description: usize, buffer: usize) -> Result<Self> {
        let description = tensor_description::of(description)?;
        let (address, size) = data_buffer::region(buffer)?;
        Ok(Self { description, address, size })
    }
}
