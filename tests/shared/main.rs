//! Tests that run side by side in one process. They touch nothing that others notice: no settings, no failures of work on
//! streams that others use, no counts of the whole process. What needs more starts itself in a process of its own.

#[path = "../support/mod.rs"]
mod support;

mod arithmetic;
mod attention;
mod auto_policy;
mod binary;
mod collectives;
mod custom_operators;
mod devices;
mod display;
mod errors;
mod experts;
mod fault_sweep;
mod foreach;
mod graphs;
mod images;
mod index;
#[cfg(feature = "dlpack")]
mod interop_dlpack;
#[cfg(feature = "ndarray")]
mod interop_ndarray;
#[cfg(feature = "npy")]
mod interop_npy;
#[cfg(feature = "safetensors")]
mod interop_safetensors;
#[cfg(feature = "serde")]
mod interop_serde;
mod linalg;
mod losses;
mod matrix;
mod movement;
mod n_ary;
mod names;
mod normalization;
mod onnx;
mod pairwise;
mod parametric;
mod plans;
mod quickstart;
mod random;
mod recurrent;
mod reductions;
mod refused;
mod sorting;
mod synchronous;
#[cfg(feature = "tracing")]
mod trace;
mod unary;
mod view_chains;
mod views;
