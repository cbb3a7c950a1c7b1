//! The functions that only refuse, but for those of operators: they fail with a code and a message, and read none of their arguments.
//!
//! A program that does not find a function often does something else silently; it does report a function that refuses.

mod declare;
mod later;
mod meta;
mod runtime;

use crate::surface::EntryPoint;

/// The functions of the runtime, of collectives and of tools.
pub(crate) fn runtime() -> Vec<EntryPoint> {
    [runtime::SYMBOLS, later::SYMBOLS].concat().concat()
}

/// The functions of the library of descriptors.
pub(crate) fn meta() -> &'static [EntryPoint] {
    meta::SYMBOLS
}
