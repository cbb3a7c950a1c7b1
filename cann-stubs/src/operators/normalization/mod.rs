//! Normalisation: which elements of an operand are a lane, and what is computed of it.
//!
//! `checks` has what the operators check alike; `layer` and `root_mean_square` normalise trailing axes, `adaptive` with scales
//! of batches, `quantised` to integers, `sum_gradients` are those of sums; `group`, `batch` and `instance` normalise channels,
//! `parts` those of batches that several devices share, and `renorm` limits norms.

mod adaptive;
mod batch;
mod checks;
mod group;
mod instance;
mod layer;
mod parts;
mod quantised;
mod renorm;
mod root_mean_square;
mod sum_gradients;

use adaptive::{ada_layer_norm, ada_layer_norm_backward, modulate, modulate_backward};
use batch::{batch_norm, batch_norm_backward, batch_norm_elemt, batch_norm_reduce, batch_norm_stats};
use group::{group_norm, group_norm_backward, group_norm_silu, group_norm_swish, group_norm_swish_grad};
use instance::instance_norm;
use layer::{add_layer_norm, deep_norm, fast_layer_norm, layer_norm, layer_norm_backward};
use parts::{batch_norm_elemt_backward, batch_norm_gather_stats, batch_norm_reduce_backward};
use quantised::{ada_layer_norm_quant, add_layer_norm_quant, add_rms_norm_cast};
use renorm::{embedding_renorm, renorm};
pub(super) use root_mean_square::added;
use root_mean_square::{add_rms_norm, gemma_rms_norm, rms_norm, rms_norm_grad};

use sum_gradients::{add_layer_norm_grad, deep_norm_grad};

use super::phases::entry_points;

aclnn_sys::normalization_operators!(entry_points);
