//! Normalisation: parts of a tensor scaled by their mean and variance, or by the root of the mean of their squares.
//!
//! `checks` has what operands must be, `layer`, `batch` and `root_mean_square` are the operations, `gradient` has the gradients of
//! those of `layer` and `batch`, and `renorm` limits norms.

mod batch;
mod checks;
mod gradient;
mod layer;
mod renorm;
mod root_mean_square;

pub use batch::{BatchNorm, BatchNormInference, batch_norm, batch_norm_inference};
pub use gradient::{NormalizationBackward, batch_norm_backward, group_norm_backward, layer_norm_backward};
pub use layer::{Normalization, group_norm, instance_norm, layer_norm};
pub use root_mean_square::{add_rms_norm, rms_norm, rms_norm_backward};
