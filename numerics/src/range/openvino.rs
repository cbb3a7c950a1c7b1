//! Range-4 of OpenVINO.

use super::sequence::{Held, count_floats, count_integers};
use super::{Number, RangeError, Sequence};
use crate::convert::round;
use crate::dtype::{Class, DType};

/// OpenVINO Range-4: max(⌈(stop − start) / step⌉, 0) elements of type `out`, each the previous one plus step.
///
/// The inputs may be of any types; they are cast to the accumulate type, and elements from there to `out`, towards
/// zero. So a fractional step of an integer range is truncated, while f16 counts past 2048.
///
/// # Errors
/// `out` is not a float of 16 to 64 bits or an integer of 8 to 64; the step is zero as `out`; the count is not defined
/// (NaN, or an infinity with an integer `out`) or infinite.
pub fn openvino(start: Number, stop: Number, step: Number, out: DType) -> Result<Sequence, RangeError> {
    range([start, stop, step], out, false)
}

/// OpenVINO Range-4 of inputs that are cast to `out` before, which makes it TensorFlow's range.
///
/// # Errors
/// As for [`openvino`].
pub fn openvino_tf(start: Number, stop: Number, step: Number, out: DType) -> Result<Sequence, RangeError> {
    range([start, stop, step], out, true)
}

fn range(given: [Number; 3], out: DType, aligned: bool) -> Result<Sequence, RangeError> {
    let [start, end, step] = given;
    let zero_step = RangeError::Step { step, check: out };
    let (held, count) = match out {
        DType::F64 => {
            let [start, stop, step] = given.map(f64_towards_zero);
            if step == 0.0 {
                return Err(zero_step);
            }
            (Held::Accumulated64(start, step), count_floats(stop - start, step, given)?)
        }
        DType::F32 | DType::F16 | DType::BF16 => {
            let wide = given.map(f32_towards_zero);
            let narrow = wide.map(|value| match out {
                DType::F16 => round::f32_from_f16(round::f16_from_f32_towards_zero(value)),
                DType::BF16 => round::f32_from_bf16(round::bf16_from_f32_towards_zero(value)),
                _ => value,
            });
            if narrow[2] == 0.0 {
                return Err(zero_step);
            }
            let [start, stop, step] = if aligned { narrow } else { wide };
            let distance = f64::from(stop) - f64::from(start);
            (Held::Accumulated32(start, step), count_floats(distance, step.into(), given)?)
        }
        _ if out.is_integer() && out.bits() >= 8 => {
            let undefined = RangeError::Undefined { start, end, step };
            let [start, stop, step] = given.map(whole);
            let (Some(start), Some(stop), Some(step)) = (start, stop, step) else { return Err(undefined) };
            if low_bits(step, out) == 0 {
                return Err(zero_step);
            }
            let wide = [start, stop, step];
            let [start, stop, step] = if aligned { wide.map(|value| low_bits(value, out)) } else { wide };
            let [from, to, by] = given;
            let count = count_integers(stop - start, step).ok_or(RangeError::Endless {
                start: from,
                end: to,
                step: by,
            })?;
            (Held::Integer(start as i64, step as i64), count)
        }
        dtype => return Err(RangeError::Output { dtype }),
    };
    Ok(Sequence { held, count, out })
}

/// The whole part; `None` of NaN and infinities. Beyond ±2¹⁰⁰, where no count fits, its end.
fn whole(number: Number) -> Option<i128> {
    match number {
        Number::Int(value) => Some(value.into()),
        Number::UInt(value) => Some(value.into()),
        Number::Float(value) => value.is_finite().then(|| (value as i128).clamp(-1 << 100, 1 << 100)),
    }
}

/// What an integer type keeps of a value.
fn low_bits(value: i128, dtype: DType) -> i128 {
    let unused = 128 - dtype.bits();
    if dtype.class() == Class::Signed {
        value << unused >> unused
    } else {
        ((value as u128) << unused >> unused) as i128
    }
}

fn f64_towards_zero(number: Number) -> f64 {
    let towards_zero = |value: i128| {
        let nearest = value as f64;
        let beyond = (nearest as i128).unsigned_abs() > value.unsigned_abs();
        f64::from_bits(nearest.to_bits() - u64::from(beyond))
    };
    match number {
        Number::Int(value) => towards_zero(value.into()),
        Number::UInt(value) => towards_zero(value.into()),
        Number::Float(value) => value,
    }
}

/// Truncating twice is truncating once.
fn f32_towards_zero(number: Number) -> f32 {
    round::f32_from_f64_towards_zero(f64_towards_zero(number))
}
