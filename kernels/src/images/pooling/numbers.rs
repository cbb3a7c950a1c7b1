//! Elements that go to those with given numbers, or come from there.

use std::ops::AddAssign;

use aclnn_numerics::DType;
use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::greatest::Ordered;
use crate::views::failure::{Cause, Failure, Result};

/// The use of the numbers of elements in planes.
#[derive(Clone, Copy)]
pub enum Numbered {
    /// Each element is added to the one that has its number.
    Added,
    /// Each element is written to the place that has its number; other places are 0.
    Set,
    /// For each number, the element that has it.
    Taken,
}

impl Numbered {
    /// Writes elements, which are f64 or otherwise f32, by their numbers, which are i64.
    ///
    /// # Errors
    /// A number that no element has fails the work.
    pub fn run(self, dtype: DType, from: &[u8], numbers: &[u8], to: &mut [u8]) -> Result {
        match dtype {
            DType::F64 => self.run_in::<f64>(cast_slice(from), cast_slice(numbers), cast_slice_mut(to)),
            _ => self.run_in::<f32>(cast_slice(from), cast_slice(numbers), cast_slice_mut(to)),
        }
    }

    fn run_in<T: Ordered + AddAssign>(self, from: &[T], numbers: &[i64], to: &mut [T]) -> Result {
        match self {
            Self::Added => put(from, numbers, to),
            Self::Set => set(from, numbers, to),
            Self::Taken => take(from, numbers, to),
        }
    }
}

/// Adds each element of a gradient to the element of `out` that has its number.
///
/// # Errors
/// A number that no element has fails the work.
fn put<T: Ordered + AddAssign>(gradient: &[T], numbers: &[i64], out: &mut [T]) -> Result {
    out.fill(T::zeroed());
    for (gradient, number) in gradient.iter().zip(numbers) {
        let index = index(*number, out.len())?;
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
fn set<T: Pod>(values: &[T], numbers: &[i64], out: &mut [T]) -> Result {
    out.fill(T::zeroed());
    for (value, number) in values.iter().zip(numbers) {
        let index = index(*number, out.len())?;
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
fn take<T: Pod>(plane: &[T], numbers: &[i64], out: &mut [T]) -> Result {
    for (out, number) in out.iter_mut().zip(numbers) {
        *out = plane.get(index(*number, plane.len())?).copied().unwrap_or(T::zeroed());
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
