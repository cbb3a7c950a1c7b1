//! Tensors in files: `.npy`, as NumPy and ml_dtypes write them, and `.safetensors`.

// Floors, from the ground up.
//
// 1. `source`: where tensors are read from
// 2. `summary`, `target`: what is told about a tensor; where tensors are written to

mod source;
mod summary;
mod target;

pub(crate) use source::Source;
pub(crate) use summary::Summary;
pub(crate) use target::Target;
