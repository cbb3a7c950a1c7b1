//! Reductions: elements along axes become one.

mod extremes;
mod moments;
mod norms;
mod sums;

use super::phases::entry_points;
use extremes::{amax, amin, aminmax, argmax, argmin, max, max_dim, min, min_dim};
use moments::{std, std_mean, var, var_mean};
use norms::{log_sum, logsumexp, norm, vector_norm};
use sums::{all, any, mean, mean_v2, nansum, prod, sum};

aclnn_sys::reduction_operators!(entry_points);
