//! The elements of Arange and Range, and their number.

use super::fill::Elements;
use super::{Number, RangeError};
use crate::convert::cann::{Numeric, cast};
use crate::dtype::DType;

/// Returns the number of elements of Arange, which excludes the end.
///
/// # Errors
/// The type is not one of f32, f16, bf16, f64, i32, i64; the step is zero or NaN, or leads away from the end. The step
/// is checked after conversion to f32, f64 or i64, so that a step of 0.5 is zero for an integer output.
pub fn arange_count(start: Number, end: Number, step: Number, out: DType) -> Result<usize, RangeError> {
    check(start, end, step, out)?;
    Ok(match out {
        DType::I64 => {
            let (distance, step) = integer_distance(start, end, step);
            as_count(distance.unsigned_abs().div_ceil(step.unsigned_abs()))
        }
        // The scalars as they are given, even for i32, whose elements are computed from truncated scalars.
        _ => quotient(start, end, step).ceil() as usize,
    })
}

/// Returns the number of elements of Range, which includes the end.
///
/// # Errors
/// As for [`arange_count`].
pub fn range_count(start: Number, end: Number, step: Number, out: DType) -> Result<usize, RangeError> {
    check(start, end, step, out)?;
    Ok(match out {
        DType::I32 | DType::I64 => {
            let (distance, step) = integer_distance(start, end, step);
            as_count(distance.unsigned_abs() / step.unsigned_abs() + 1)
        }
        DType::F32 => (quotient(start, end, step) + 1.0) as usize,
        DType::F64 => {
            // The kernel is half-open; the end is moved up, in either direction, so that a step can hit it.
            let end = end.to_f64() + 1e-13;
            ((end - start.to_f64()) / step.to_f64()).abs().ceil() as usize
        }
        _ => ((end.to_f32() - start.to_f32()) / step.to_f32() + 1.0) as usize,
    })
}

fn quotient(start: Number, end: Number, step: Number) -> f64 {
    (end.to_f64() - start.to_f64()) / step.to_f64()
}

/// Returns the distance from start to end, and the step; both have the same sign, which was checked before.
fn integer_distance(start: Number, end: Number, step: Number) -> (i128, i128) {
    let [start, end, step] = [start, end, step].map(|number| i128::from(number.to_i64()));
    (end - start, step)
}

fn as_count(count: u128) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

fn check(start: Number, end: Number, step: Number, out: DType) -> Result<(), RangeError> {
    let numbers = [start, end, step];
    let (check, fault) = match out {
        DType::F32 | DType::F16 | DType::BF16 => (DType::F32, fault(numbers.map(Number::to_f32), 0.0)),
        DType::F64 => (DType::F64, fault(numbers.map(Number::to_f64), 0.0)),
        DType::I32 | DType::I64 => (DType::I64, fault(numbers.map(Number::to_i64), 0)),
        dtype => return Err(RangeError::Output { dtype }),
    };
    match fault {
        None => Ok(()),
        Some(Fault::Step) => Err(RangeError::Step { step, check }),
        Some(Fault::Direction) => Err(RangeError::Direction { start, end, step }),
    }
}

enum Fault {
    Step,
    Direction,
}

/// Returns the fault of a range. NaN compares false, so that it is refused as a step and accepted as a bound.
fn fault<T: PartialOrd + Copy>([start, end, step]: [T; 3], zero: T) -> Option<Fault> {
    if step > zero {
        (start > end).then_some(Fault::Direction)
    } else if step < zero {
        (start < end).then_some(Fault::Direction)
    } else {
        Some(Fault::Step)
    }
}

/// The elements of Arange and Range, without an end: start, start + step, …
///
/// ```
/// use aclnn_numerics::{DType, range::{Progression, arange_count}};
///
/// let (start, end, step) = (0.into(), 1.into(), 0.25.into());
/// let mut elements = vec![0f32; arange_count(start, end, step, DType::F32)?];
/// Progression::new(start, step, DType::F32)?.fill(0, &mut elements)?;
/// assert_eq!(elements, [0.0, 0.25, 0.5, 0.75]);
/// # Ok::<(), aclnn_numerics::range::RangeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progression {
    held: Held,
    out: DType,
}

/// Start and step as the kernel of the output type holds them.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Held {
    F32(f32, f32),
    F64(f64, f64),
    I32(i32, i32),
    I64(i64, i64),
}

impl Progression {
    /// Prepares elements of type `out`.
    ///
    /// # Errors
    /// The type is not one of f32, f16, bf16, f64, i32, i64.
    pub fn new(start: Number, step: Number, out: DType) -> Result<Progression, RangeError> {
        // Scalars reach the device as f64, but as i64 for an i64 output.
        let (wide_start, wide_step) = (start.to_f64(), step.to_f64());
        let held = match out {
            DType::F32 | DType::F16 | DType::BF16 => Held::F32(wide_start as f32, wide_step as f32),
            DType::F64 => Held::F64(wide_start, wide_step),
            DType::I32 => Held::I32(wide_start as i32, wide_step as i32),
            DType::I64 => Held::I64(start.to_i64(), step.to_i64()),
            dtype => return Err(RangeError::Output { dtype }),
        };
        Ok(Progression { held, out })
    }

    /// Returns the type of the elements.
    pub fn dtype(&self) -> DType {
        self.out
    }

    /// Returns whether each element needs all elements before it, so that computing blocks separately does not pay.
    pub fn is_sequential(&self) -> bool {
        matches!(self.held, Held::F64(..))
    }

    /// Writes the elements from index `first` on.
    ///
    /// # Errors
    /// `T` is not the type of the elements.
    pub fn fill<T: Numeric>(&self, first: usize, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_slice(first, out)
    }

    /// Writes the elements from index `first` on into as many whole elements as the bytes hold, of any alignment.
    pub fn fill_bytes(&self, first: usize, out: &mut [u8]) {
        self.fill_packed(first, out)
    }
}

impl Elements for Progression {
    fn element_type(&self) -> DType {
        self.out
    }

    #[inline(always)]
    fn write<T: Numeric, S>(
        &self,
        first: usize,
        slots: impl ExactSizeIterator<Item = S>,
        put: impl Fn(S, T),
    ) {
        match self.held {
            Held::F32(start, step) => {
                let element = |index: f32| cast(start + step * index);
                // A 32-bit index converts in vectors, a 64-bit index does not.
                match i32::try_from(first.saturating_add(slots.len())) {
                    Ok(end) => {
                        let indices = end - slots.len() as i32..end;
                        slots.zip(indices).for_each(|(slot, i)| put(slot, element(i as f32)));
                    }
                    Err(_) => slots.zip(first..).for_each(|(slot, i)| put(slot, element(i as f32))),
                }
            }
            Held::F64(start, step) => {
                let mut value = (0..first).fold(start, |value, _| value + step);
                for slot in slots {
                    put(slot, cast(value));
                    value += step;
                }
            }
            Held::I32(start, step) => {
                let mut value = start.wrapping_add(step.wrapping_mul(first as i32));
                for slot in slots {
                    put(slot, cast(value));
                    value = value.wrapping_add(step);
                }
            }
            Held::I64(start, step) => {
                let mut value = start.wrapping_add(step.wrapping_mul(first as i64));
                for slot in slots {
                    put(slot, cast(value));
                    value = value.wrapping_add(step);
                }
            }
        }
    }
}
