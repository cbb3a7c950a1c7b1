//! Comparisons and operations on bits, of a tensor with a tensor or a scalar.

use super::call::{Call, Plan};
use super::declared;
use super::pairwise::rule;
use super::phases::{entry_points, rules};
use crate::kernels::pairwise as functions;
use crate::status::Result;

aclnn_sys::comparison_operators!(entry_points);
aclnn_sys::comparison_operators!(rules);
