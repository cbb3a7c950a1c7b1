//! What the older interface of operators that are called by name takes: attributes, descriptions of tensors, data buffers,
//! and elements on the host. The call itself is refused.

mod attribute;
mod data_buffer;
mod element;
mod tensor_description;

pub(crate) use data_buffer::live;

use crate::entry::EntryPoint;

/// The entry points of this module.
pub(super) const SYMBOLS: &[&[EntryPoint]] =
    &[attribute::SYMBOLS, data_buffer::SYMBOLS, element::SYMBOLS, tensor_description::SYMBOLS];
