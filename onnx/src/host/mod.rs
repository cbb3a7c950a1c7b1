//! Arithmetic and movement on the host, for the small values that steer a model: shapes, axes, lengths, indices.

pub(crate) mod elements;
pub(crate) mod places;
