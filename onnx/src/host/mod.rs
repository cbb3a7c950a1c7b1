//! Arithmetic and movement on the host, for the small values that steer a model: shapes, axes, lengths, indices.

pub(crate) mod elements;
pub(crate) mod places;

/// The most elements that the host computes with where the device could.
pub(crate) const FEW: usize = 1024;
