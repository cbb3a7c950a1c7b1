//! Products of matrices with what comes before and after them: quantised factors, groups, biases and activations.
//!
//! `operands` sees operands as matrices and as numbers for them, and puts plans together; `lists` and `groups` serve
//! `grouped`, and the other files hold the operators.

mod activated;
mod batched;
mod feed_forward;
mod grouped;
mod groups;
mod lists;
mod operands;
mod quantised;
mod scales;
mod weight;

pub(super) use operands::{Fusion, one_of, products};
pub(super) use weight::group_size;

use activated::fused_matmul;
use batched::{fused_matmul_gelu, grouped_matmul_add, transpose_batch_mat_mul};
use feed_forward::feed_forward;
use grouped::grouped_matmul;
use quantised::{early_quant_matmul, fused_quant_matmul, quant_matmul};
use scales::trans_quant_param;
use weight::weight_quant_batch_matmul;

use super::phases::entry_points;

aclnn_sys::fused_operators!(entry_points);
