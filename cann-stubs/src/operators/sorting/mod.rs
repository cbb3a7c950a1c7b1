//! Order: sorting, selection by rank, search, unique elements.
//!
//! Sorts are always stable, whatever the caller allows. NaN is greater than every number, and both zeros are equal.

mod rank;
mod rules;
mod search;
mod unique;

pub(in crate::operators) use rank::sorted_values;

use super::phases::entry_points;
use rank::*;
use search::*;
use unique::*;

aclnn_sys::sorting_operators!(entry_points);
