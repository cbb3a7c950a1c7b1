//! The order of whatever has numbers.

use std::cmp::Ordering;

/// Orders numbers by a comparison of what they number; equal ones stay as they were.
///
/// A sort of the standard library is 8 KB of code for each type and comparison, so those for which that is too much share this one, at an indirect
/// call for each comparison.
pub fn order_by(numbers: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    numbers.sort_by(|one, other| compare(*one, *other));
}
