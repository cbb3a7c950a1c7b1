//! Convolutions: their sizes, the types in which they are computed, and their plans.
//!
//! `sizes` checks windows, `types` follows `cubeMathType`, and the other files hold the operators.

mod backward;
mod columns;
mod forward;
mod sizes;
mod types;

use super::phases::entry_points;
use backward::*;
use columns::*;
use forward::*;

pub(super) use types::computed;

aclnn_sys::convolution_operators!(entry_points);
