//! Order: sorting, selection by rank, search, unique elements.
//!
//! Sorts are always stable, whatever the caller allows. NaN is greater than every number, and both zeros are equal.

mod rank;
mod rules;
mod search;
mod unique;

pub(in crate::operators) use rank::sorted_values;

use super::phases::entry_points;
use rank::{argsort, kth_value, median, median_dim, nan_median, nan_median_dim, sort, topk};
use search::{bucketize, search_sorted};
use unique::{unique, unique_consecutive, unique_dim};

aclnn_sys::sorting_operators!(entry_points);
