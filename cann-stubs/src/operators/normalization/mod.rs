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

use adaptive::*;
use batch::*;
use group::*;
use instance::*;
use layer::*;
use parts::*;
use quantised::*;
use renorm::*;
pub(super) use root_mean_square::added;
use root_mean_square::*;
use sum_gradients::*;

use super::phases::entry_points;

aclnn_sys::normalization_operators!(entry_points);
