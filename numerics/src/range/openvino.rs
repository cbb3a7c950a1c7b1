//! Range-4 of OpenVINO.

use super::sequence::{Held, count_floats, count_integers};
use super::{Number, RangeError, Sequence};
use crate::convert::round;
use crate::dtype::{Class, DType};

/// Returns OpenVINO Range-4 by its page: max(⌈(stop − start) / step⌉, 0) elements of type `out`, each the previous one
/// plus step.
///
/// The inputs may be of any types. For a float range they are counted as they are given: integers exactly, other types
/// in f64. Then they are cast to the accumulate type, in which the elements follow each other, and the elements are
/// cast to `out`; both casts round towards zero. So f16 counts past 2048. For an integer range the inputs are truncated
/// first, including a fractional step.
///
/// # Errors
/// `out` is not a float of 16 to 64 bits or an integer of 8 to 64 bits; the step is zero, as a float `out` or
/// truncated; the count is not defined (NaN, or an infinity with an integer `out`) or infinite.
#[inline]
pub fn openvino(start: Number, stop: Number, step: Number, out: DType) -> Result<Sequence, RangeError> {
    range([start, stop, step], out, false)
}

/// Returns OpenVINO Range-4 of inputs that are cast to `out` first, which is TensorFlow's range.
///
/// # Errors
/// As for [`openvino`], and where the step is zero as an integer `out`.
#[inline]
pub fn openvino_tf(start: Number, stop: Number, step: Number, out: DType) -> Result<Sequence, RangeError> {
    range([start, stop, step], out, true)
}

/// Returns Range-4 as the library of OpenVINO evaluates it, which differs from its page: element i is start + i · step,
/// and inexact results are rounded to the nearest, not towards zero.
///
/// All inputs become f64 first, including integers of more than 53 bits, and are truncated there for an integer range.
/// f16 and bf16 are computed in f32 and rounded once. The rounding to bf16 is the library's own: from an even lower
/// neighbour always towards zero. This is the reference implementation, which also folds constants; the plugin for
/// CPUs, on which compiled models run, adds the step to the previous element, in f32 and to the nearest. A count of 2³²
/// or more, of which the library keeps the low 32 bits, is kept whole here.
///
/// # Errors
/// `out` is not a float of 16 to 64 bits or an integer of 8 to 64 bits; an input is NaN or infinite; the step is zero,
/// for an integer range after truncation; there are more elements than can be counted.
#[inline]
pub fn openvino_implemented(
    start: Number,
    stop: Number,
    step: Number,
    out: DType,
) -> Result<Sequence, RangeError> {
    let given = [start, stop, step];
    let is_whole = out.is_integer() && out.bits() >= 8;
    if !is_whole && !matches!(out, DType::F64 | DType::F32 | DType::F16 | DType::BF16) {
        return Err(RangeError::Output { dtype: out });
    }
    let seen = given.map(|number| if is_whole { number.to_f64().trunc() } else { number.to_f64() });
    if !seen.iter().all(|value| value.is_finite()) {
        return Err(RangeError::Undefined { start, end: stop, step });
    }
    let [first, last, by] = seen;
    if by == 0.0 {
        return Err(RangeError::Step { step, check: if is_whole { out } else { DType::F64 } });
    }
    let count = count_floats(last - first, by, given)?;
    let held = match out {
        DType::F64 => Held::Multiplied64(first, by),
        DType::F32 | DType::F16 | DType::BF16 => Held::Multiplied32(first as f32, by as f32),
        // The low bits; an i128 holds every i64.
        _ => Held::Integer(first as i128 as i64, by as i128 as i64),
    };
    Ok(Sequence { held, count, out })
}

#[inline]
fn range(given: [Number; 3], out: DType, aligned: bool) -> Result<Sequence, RangeError> {
    let [start, end, step] = given;
    let zero_step = RangeError::Step { step, check: out };
    let (held, count) = match out {
        DType::F64 => {
            let wide = given.map(f64_towards_zero);
            if wide[2] == 0.0 {
                return Err(zero_step);
            }
            let counted = if aligned { wide.map(Number::Float) } else { given };
            (Held::Accumulated64(wide[0], wide[2]), count(counted, given)?)
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
            let [first, _, by] = if aligned { narrow } else { wide };
            let counted = if aligned { narrow.map(Number::from) } else { given };
            (Held::Accumulated32(first, by), count(counted, given)?)
        }
        _ if out.is_integer() && out.bits() >= 8 => {
            let undefined = RangeError::Undefined { start, end, step };
            let wide @ [Some(_), Some(_), Some(_)] = given.map(whole) else { return Err(undefined) };
            let [first, stop, by] = if aligned {
                given.map(|number| as_output(number, out))
            } else {
                wide.map(Option::unwrap_or_default)
            };
            if by == 0 {
                return Err(zero_step);
            }
            let count = count_integers(stop - first, by).ok_or(RangeError::Endless { start, end, step })?;
            (Held::Integer(first as i64, by as i64), count)
        }
        dtype => return Err(RangeError::Output { dtype }),
    };
    Ok(Sequence { held, count, out })
}

/// Returns the number of elements of a float range: exact for integers, in f64 for other types.
#[inline]
fn count(counted: [Number; 3], [start, end, step]: [Number; 3]) -> Result<usize, RangeError> {
    let integer = |number| if let Number::Float(_) = number { None } else { whole(number) };
    match counted.map(integer) {
        [Some(first), Some(stop), Some(by)] => {
            count_integers(stop - first, by).ok_or(RangeError::Endless { start, end, step })
        }
        _ => {
            let [first, stop, by] = counted.map(Number::to_f64);
            count_floats(stop - first, by, [start, end, step])
        }
    }
}

/// Returns the whole part; `None` for NaN and infinities. Beyond ±2¹⁰⁰, where no count fits, it is clamped.
#[inline]
fn whole(number: Number) -> Option<i128> {
    match number {
        Number::Int(value) => Some(value.into()),
        Number::UInt(value) => Some(value.into()),
        Number::Float(value) => value.is_finite().then(|| (value as i128).clamp(-1 << 100, 1 << 100)),
    }
}

/// Converts to an integer type: the low bits of an integer; the whole part of a float, saturating.
#[inline]
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

#[inline]
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

/// Truncates twice, which gives the same as truncating once.
#[inline]
fn f32_towards_zero(number: Number) -> f32 {
    round::f32_from_f64_towards_zero(f64_towards_zero(number))
}
