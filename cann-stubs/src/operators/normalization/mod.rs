//! Normalisation: which elements of an operand are a lane, and what is computed of it.
//!
//! `lanes` puts plans together whose operands may be missing, and `checks` has what the operators check alike; `layer` and
//! `root_mean_square` normalise trailing axes, `group`, `batch` and `instance` channels, `parts` those of
//! batches that several devices share, and `limit` limits norms.

mod batch;
mod checks;
mod group;
mod instance;
mod lanes;
mod layer;
mod limit;
mod parts;
mod root_mean_square;

use batch::{batch_norm, batch_norm_backward, batch_norm_elemt, batch_norm_reduce, batch_norm_stats};
use group::{group_norm, group_norm_backward, group_norm_silu};
use instance::instance_norm;
use layer::{add_layer_norm, deep_norm, fast_layer_norm, layer_norm, layer_norm_backward};
use limit::{embedding_renorm, renorm};
use parts::{batch_norm_elemt_backward, batch_norm_gather_stats, batch_norm_reduce_backward};
use root_mean_square::{add_rms_norm, gemma_rms_norm, rms_norm, rms_norm_grad};

use super::phases::entry_points;

aclnn_sys::normalization_operators!(entry_points);
