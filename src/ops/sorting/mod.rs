//! Order: sorting, selection by rank, search, unique elements.
//!
//! `elements` casts what an operator does not take to a type in which the order is the same, and back.

mod elements;
mod search;
mod select;
mod sort;
mod unique;

pub use search::{SearchSorted, bucketize, search_sorted};
pub use select::{Select, kth_value, median_dim, nan_median_dim};
pub use sort::{Sort, TopK, sort, topk};
pub use unique::{Unique, unique, unique_consecutive};
