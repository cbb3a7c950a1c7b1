//! Comparisons and operations on bits, of a tensor with a tensor or a scalar.

use cann_kernels::functions::pairwise as functions;

use super::call::{Call, Plan};
use super::pairwise::rule;
use super::phases::{entry_points, rules};
use super::signatures;
use crate::status::Result;

aclnn_sys::comparison_operators!(entry_points);
aclnn_sys::comparison_operators!(rules);
