//! Comparisons and operations on bits, of a tensor with a tensor or a scalar.

use super::call::{Call, Plan};
use super::pairwise::rules;
use super::phases::entry_points;
use crate::status::Result;

aclnn_sys::comparison_operators!(entry_points);
aclnn_sys::comparison_operators!(rules);
