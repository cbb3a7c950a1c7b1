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

use activated::*;
use batched::*;
use feed_forward::*;
use grouped::*;
use quantised::*;
use scales::*;
use weight::*;

use super::phases::entry_points;

aclnn_sys::fused_operators!(entry_points);
