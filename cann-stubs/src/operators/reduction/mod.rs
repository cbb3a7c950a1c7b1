//! Reductions: elements along axes become one.

mod extremes;
mod moments;
mod norms;
mod sums;

use super::phases::entry_points;
use extremes::*;
use moments::*;
use norms::*;
use sums::*;

aclnn_sys::reduction_operators!(entry_points);
