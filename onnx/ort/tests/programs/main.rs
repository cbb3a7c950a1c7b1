//! Programs that use `ort`, served by this crate.
//!
//! Expected values are those that ONNX defines for the operators, and small enough to be computed by hand.

#![allow(clippy::unwrap_used, missing_docs)]

mod bindings;
mod errors;
mod runs;
mod sessions;
mod support;
mod values;
