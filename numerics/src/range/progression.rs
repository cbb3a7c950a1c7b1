//! The elements of Arange and Range, and their number.

use super::fill::bytes_for;
use super::ramp::{self, Ramp, Short};
use super::{Number, RangeError};
use crate::convert::cann::Numeric;
use crate::convert::level::Level;
use crate::dtype::DType;

/// Returns the number of elements of Arange, which excludes the end.
///
/// # Errors
/// The type is not one of f32, f16, bf16, f64, i32, i64; the step is zero or NaN, or leads away from the end. The step
/// is checked after conversion to f32, f64 or i64, so that a step of 0.5 is zero for an integer output.
#[inline]
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
#[inline]
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

#[inline]
fn quotient(start: Number, end: Number, step: Number) -> f64 {
    (end.to_f64() - start.to_f64()) / step.to_f64()
}

/// Returns the distance from start to end, and the step; both have the same sign, which was checked before.
#[inline]
fn integer_distance(start: Number, end: Number, step: Number) -> (i128, i128) {
    let [start, end, step] = [start, end, step].map(|number| i128::from(number.to_i64()));
    (end - start, step)
}

#[inline]
fn as_count(count: u128) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[inline]
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
    level: Level,
}

/// Start and step as the kernel of the output type holds them.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Held {
    F32(f32, f32, Short),
    F64(f64, f64),
    /// Also those of i32, whose elements are the low bits.
    Integer(i64, i64),
}

impl Progression {
    /// Prepares elements of type `out`.
    ///
    /// # Errors
    /// The type is not one of f32, f16, bf16, f64, i32, i64.
    #[inline]
    pub fn new(start: Number, step: Number, out: DType) -> Result<Progression, RangeError> {
        Progression::at(Level::best(), start, step, out)
    }

    #[inline]
    fn at(level: Level, start: Number, step: Number, out: DType) -> Result<Progression, RangeError> {
        // Scalars reach the device as f64, but as i64 for an i64 output.
        let (wide_start, wide_step) = (start.to_f64(), step.to_f64());
        let short = |short| Held::F32(wide_start as f32, wide_step as f32, short);
        let held = match out {
            DType::F32 => short(Short::F32),
            DType::F16 => short(Short::F16),
            DType::BF16 => short(Short::BF16),
            DType::F64 => Held::F64(wide_start, wide_step),
            DType::I32 => Held::Integer((wide_start as i32).into(), (wide_step as i32).into()),
            DType::I64 => Held::Integer(start.to_i64(), step.to_i64()),
            dtype => return Err(RangeError::Output { dtype }),
        };
        Ok(Progression { held, out, level })
    }

    /// Returns the type of the elements.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.out
    }

    /// Returns whether each element needs all elements before it, so that computing blocks separately does not pay.
    #[inline]
    pub fn is_sequential(&self) -> bool {
        matches!(self.held, Held::F64(..))
    }

    /// Writes the elements from index `first` on.
    ///
    /// # Errors
    /// `T` is not the type of the elements.
    pub fn fill<T: Numeric>(&self, first: usize, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_bytes(first, bytes_for(self.out, out)?);
        Ok(())
    }

    /// Writes the elements from index `first` on into as many whole elements as the bytes hold, of any alignment.
    #[inline]
    pub fn fill_bytes(&self, first: usize, out: &mut [u8]) {
        match self.held {
            Held::F32(base, step, short) => ramp::up_f32(self.level, Ramp { base, step, first }, short, out),
            Held::F64(start, step) => {
                let mut value = (0..first).fold(start, |value, _| value + step);
                for slot in out.chunks_exact_mut(size_of::<f64>()) {
                    slot.copy_from_slice(&value.to_ne_bytes());
                    value += step;
                }
            }
            Held::Integer(start, step) => {
                ramp::count(self.level, [start, step], first, self.out.bits(), out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::cann::cast;
    use half::{bf16, f16};

    /// Against the definition, one element at a time; also from where an index is no i32 and on odd addresses.
    #[test]
    fn every_instruction_set_makes_the_same_elements() {
        fn compare<T: Numeric>(start: Number, step: Number, element: impl Fn(usize) -> T) {
            for level in Level::all() {
                let range = Progression::at(level, start, step, T::DTYPE).unwrap();
                for first in [0, 1, 1000, (1 << 24) - 200, (1 << 24) - 50, (1 << 31) - 100, 1 << 40] {
                    for len in [0, 1, 15, 64, 65, 333] {
                        let expected: Vec<T> = (first..first + len).map(&element).collect();
                        let expected = T::as_bytes(&expected);
                        let mut bytes = vec![0xA5; expected.len() + 2];
                        range.fill_bytes(first, &mut bytes[1..=expected.len()]);
                        assert_eq!(
                            &bytes[1..=expected.len()],
                            expected,
                            "{level:?}: {start}, {step} from {first}"
                        );
                        assert_eq!((bytes[0], bytes[expected.len() + 1]), (0xA5, 0xA5));
                    }
                }
            }
        }
        let floats = [
            (0.0, 1.0),
            (-0.0, 0.1),
            (1e30, -3e34),
            (-1.0, 1e-40),
            // Sums that are subnormal, and just not; that reach infinity, or only when they are rounded.
            (1.2e-38, -1e-41),
            (f64::from(f32::MIN_POSITIVE) * 16777215.0, -f64::from(f32::MIN_POSITIVE) * 8388609.0),
            (0.0, f64::from(f32::MIN_POSITIVE)),
            (f64::from(f32::MAX), -1e31),
            (3.38e38, 1e34),
            // The least normal number, of terms whose difference it is.
            ((1.0 + 0.5f64.powi(23)) * 0.5f64.powi(103), -0.5f64.powi(103)),
            (f64::NEG_INFINITY, 2.0),
            (65504.0, -0.7),
            (f64::NAN, f64::INFINITY),
            (f64::from_bits(0xFFF4 << 48), 1.0),
            (3.0, f64::INFINITY),
        ];
        for (start, step) in floats {
            let (from, by) = (start as f32, step as f32);
            let single = |i: usize| std::hint::black_box(from) + std::hint::black_box(by * i as f32);
            compare::<f32>(start.into(), step.into(), single);
            compare::<f16>(start.into(), step.into(), |i| cast(single(i)));
            compare::<bf16>(start.into(), step.into(), |i| cast(single(i)));
        }
        for (start, step) in [(0, 1), (i64::MAX, 3), (-7, i64::MIN + 5), (1 << 31, -(1 << 31))] {
            let wide = |i: usize| start.wrapping_add(step.wrapping_mul(i as i64));
            compare::<i64>(start.into(), step.into(), wide);
            // A scalar of i32 is truncated from f64, which saturates.
            let (start, step) = (start as f64 as i32, step as f64 as i32);
            compare::<i32>(start.into(), step.into(), |i| start.wrapping_add(step.wrapping_mul(i as i32)));
        }
    }
}
