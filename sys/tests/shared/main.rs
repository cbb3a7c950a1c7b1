//! Tests of headers, bindings, tables and the search for libraries, which run side by side in one process.

mod by_kinds;
mod constants;
mod discovery;
mod headers;
// Needs the headers of a toolkit: those of this crate do.
#[cfg(feature = "bindgen")]
mod installed;
mod language;
mod layout;
mod published;
mod support;
mod tables;
