//! Elements that go to those with given numbers, or come from there.

use bytemuck::Pod;

use super::greatest::Ordered;
use crate::views::failure::{Cause, Failure, Result};

/// Adds each element of a gradient to the element of `out` that has its number.
///
/// # Errors
/// A number that no element has fails the work.
pub fn put<T: Ordered + std::ops::AddAssign>(
    gradient: &[T],
    numbers: impl Iterator<Item = i64>,
    out: &mut [T],
) -> Result {
    out.fill(T::zeroed());
    for (gradient, number) in gradient.iter().zip(numbers) {
        let index = index(number, out.len())?;
        if let Some(place) = out.get_mut(index) {
            *place += *gradient;
        }
    }
    Ok(())
}

/// Writes each value to the element of `out` that has its number, and 0 to the others. The last value of a number counts.
///
/// # Errors
/// A number that no element has fails the work.
pub fn set<T: Pod>(values: &[T], numbers: impl Iterator<Item = i64>, out: &mut [T]) -> Result {
    out.fill(T::zeroed());
    for (value, number) in values.iter().zip(numbers) {
        let index = index(number, out.len())?;
        if let Some(place) = out.get_mut(index) {
            *place = *value;
        }
    }
    Ok(())
}

/// Writes the elements of a plane that have the numbers.
///
/// # Errors
/// A number that no element has fails the work.
pub fn take<T: Pod>(plane: &[T], numbers: impl Iterator<Item = i64>, out: &mut [T]) -> Result {
    for (out, number) in out.iter_mut().zip(numbers) {
        *out = plane.get(index(number, plane.len())?).copied().unwrap_or(T::zeroed());
    }
    Ok(())
}

/// The index of the element with a number in a plane of so many.
fn index(number: i64, len: usize) -> Result<usize> {
    usize::try_from(number).ok().filter(|index| *index < len).ok_or_else(|| {
        let message = format!("the index {number} is in no plane of {len} elements");
        Failure::new(Cause::AiCore, message)
    })
}
