//! Convolutions: their sizes, the types in which they are computed, and their plans.
//!
//! `sizes` checks windows, `types` follows `cubeMathType`, and the other files hold the operators.

mod backward;
mod columns;
mod forward;
mod sizes;
mod types;

use super::phases::entry_points;
use backward::{conv_tbc_backward, convolution_backward};
use columns::im2col_backward;
use forward::{conv_depthwise2d, conv_tbc, convolution, quant_convolution};

pub(super) use types::computed;

aclnn_sys::convolution_operators!(entry_points);
