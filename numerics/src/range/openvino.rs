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
            let wide @ [Some(_), Some(_), Some(_)] = given.map(whole) else { return Err(undefined) };
            let narrow = given.map(|number| as_output(number, out));
            if narrow[2] == 0 {
                return Err(RangeError::Step { step, check: out });
            }
            let [first, stop, by] = if aligned { narrow } else { wide.map(Option::unwrap_or_default) };
            let count = count_integers(stop - first, by).ok_or(RangeError::Endless { start, end, step })?;
            (Held::Integer(first as i64, by as i64), count)
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

/// As an integer type: the low bits of an integer; of a float the whole part, saturating.
fn as_output(number: Number, dtype: DType) -> i128 {
    let value = whole(number).unwrap_or_default();
    let unused = 128 - dtype.bits();
    let (low, high) = match dtype.class() {
        Class::Signed => (i128::MIN >> unused, i128::MAX >> unused),
        _ => (0, (u128::MAX >> unused) as i128),
    };
    match number {
        Number::Float(_) => value.clamp(low, high),
        _ if low < 0 => value << unused >> unused,
        _ => value & high,
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
