//! Arguments of the older interface, which calls operators by name: attributes, descriptions of tensors and data
//! buffers. The call itself is refused.

mod attribute;
mod data_buffer;
mod tensor_description;

pub(crate) use data_buffer::live;

use crate::entry::EntryPoint;

/// The entry points of this module.
pub(super) const SYMBOLS: &[&[EntryPoint]] =
    &[attribute::SYMBOLS, data_buffer::SYMBOLS, tensor_description::SYMBOLS];
