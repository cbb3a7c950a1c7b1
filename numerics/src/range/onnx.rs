//! Range-11 of ONNX, which has two definitions.

use super::sequence::{Held, count_floats, count_integers, count_quotient};
use super::{Number, RangeError, Sequence};
use crate::convert::cann::ScalarValue;
use crate::dtype::DType;

/// The three scalars, in their common type.
enum Scalars {
    F32([f32; 3]),
    F64([f64; 3]),
    Integer([i64; 3]),
}

/// Checks the types, and that the step is not zero; also returns the scalars as messages show them.
#[inline]
fn scalars(
    start: ScalarValue,
    limit: ScalarValue,
    delta: ScalarValue,
) -> Result<(Scalars, [Number; 3]), RangeError> {
    let all = [start, limit, delta];
    let types = all.map(|scalar| scalar.dtype());
    let dtype = types[0];
    if types != [dtype; 3] {
        return Err(RangeError::Mixed { types });
    }
    if !matches!(dtype, DType::F32 | DType::F64 | DType::I16 | DType::I32 | DType::I64) {
        return Err(RangeError::Output { dtype });
    }
    let numbers = all.map(|scalar| Number::from_scalar(scalar).unwrap_or(Number::Int(0)));
    let step = numbers[2];
    if step.to_f64() == 0.0 {
        return Err(RangeError::Step { step, check: dtype });
    }
    let scalars = match dtype {
        DType::F32 => Scalars::F32(numbers.map(Number::to_f32)),
        DType::F64 => Scalars::F64(numbers.map(Number::to_f64)),
        _ => Scalars::Integer(numbers.map(Number::to_i64)),
    };
    Ok((scalars, numbers))
}

#[inline]
fn endless([start, end, step]: [Number; 3]) -> RangeError {
    RangeError::Endless { start, end, step }
}

/// Returns ONNX Range-11 by its pseudocode: max(⌈(limit − start) / delta⌉, 0) elements, start + i · delta each.
///
/// Integers are exact. Floats are counted in f64, as the reference evaluator does, and computed in their own type, with
/// the index rounded to it: an f32 range by 1 repeats 16777216.
///
/// # Errors
/// The scalars differ in type, or their type is not one of f32, f64, i16, i32, i64; delta is zero; the count is not
/// defined (NaN) or infinite.
#[inline]
pub fn onnx(start: ScalarValue, limit: ScalarValue, delta: ScalarValue) -> Result<Sequence, RangeError> {
    let (scalars, numbers) = scalars(start, limit, delta)?;
    let (held, count) = match scalars {
        Scalars::Integer([start, limit, delta]) => {
            let distance = i128::from(limit) - i128::from(start);
            let count = count_integers(distance, delta.into()).ok_or(endless(numbers))?;
            (Held::Integer(start, delta), count)
        }
        Scalars::F32([start, limit, delta]) => {
            let distance = f64::from(limit) - f64::from(start);
            let count = count_floats(distance, delta.into(), numbers)?;
            // An infinite step is never taken, and zero times it would be NaN.
            let delta = if delta.is_finite() { delta } else { 0.0 };
            (Held::Multiplied32(start, delta), count)
        }
        Scalars::F64([start, limit, delta]) => {
            let count = count_floats(limit - start, delta, numbers)?;
            let delta = if delta.is_finite() { delta } else { 0.0 };
            (Held::Multiplied64(start, delta), count)
        }
    };
    Ok(Sequence { held, count, out: start.dtype() })
}

/// Returns ONNX Range-11 by its function body, which other implementations expand.
///
/// It disagrees with the pseudocode: the distance is computed in the type of the scalars, where integers wrap; distance
/// and delta are rounded to f32 and the count is made in f32, so that 16777217 elements become 16777216; and floats
/// accumulate.
///
/// # Errors
/// As for [`onnx`].
#[inline]
pub fn onnx_body(start: ScalarValue, limit: ScalarValue, delta: ScalarValue) -> Result<Sequence, RangeError> {
    let dtype = start.dtype();
    let (scalars, numbers) = scalars(start, limit, delta)?;
    let (held, distance, delta) = match scalars {
        Scalars::Integer([start, limit, delta]) => {
            let distance = limit.wrapping_sub(start);
            let distance = match dtype {
                DType::I16 => (distance as i16).into(),
                DType::I32 => (distance as i32).into(),
                _ => distance,
            };
            (Held::Integer(start, delta), distance as f32, delta as f32)
        }
        Scalars::F32([start, limit, delta]) => (Held::Accumulated32(start, delta), limit - start, delta),
        Scalars::F64([start, limit, delta]) => {
            (Held::Accumulated64(start, delta), (limit - start) as f32, delta as f32)
        }
    };
    let count = count_quotient((distance / delta).into(), numbers)?;
    // The trip count is an i64.
    if i64::try_from(count).is_err() {
        return Err(endless(numbers));
    }
    Ok(Sequence { held, count, out: dtype })
}
