//! The order of whatever has numbers. A sort of the standard library is 8 KB of code for each type and comparison, so those
//! that sort no elements share one, at an indirect call for each comparison.

use std::cmp::Ordering;

/// Orders numbers by a comparison of what they number; equal ones stay as they were.
pub(crate) fn order_by(numbers: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    numbers.sort_by(|one, other| compare(*one, *other));
}

/// Returns the numbers below `count`, ordered by a comparison of what they number; equal ones stay as they were.
pub fn ordered(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    order_by(&mut numbers, compare);
    numbers
}
