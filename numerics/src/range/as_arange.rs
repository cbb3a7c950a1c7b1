//! Ranges of ONNX and OpenVINO that CANN's Arange writes exactly, and the calls for them.

use super::Number;
use super::sequence::{Held, Sequence};
use crate::dtype::DType;

/// A call of CANN's Arange: its scalars and the type of its output.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arange {
    /// The first element.
    pub start: Number,
    /// The bound, which is excluded.
    pub end: Number,
    /// The distance from one element to the next.
    pub step: Number,
    /// The type of the output: i64 where a Cast has to follow, otherwise the type of the sequence.
    pub dtype: DType,
}

/// The largest integer up to which all are exact as f64, the type in which Arange takes most of its scalars.
const EXACT: i128 = 1 << 53;

impl Sequence {
    /// Returns the Arange that writes exactly these elements, or `None` if none is known to.
    ///
    /// Integers count modulo 2ⁿ in every definition; those of types that Arange does not make are the low bits of i64.
    /// Floats qualify when every element and every product of index and step is representable in their type: then it
    /// does not matter whether a kernel accumulates or multiplies, or fuses both operations.
    #[inline]
    pub fn as_arange(&self) -> Option<Arange> {
        match self.held {
            Held::Integer(start, step) => integers(start, step, self.count, self.out),
            Held::Multiplied32(start, step) | Held::Accumulated32(start, step) => {
                floats(start.into(), step.into(), self.count, self.out)
            }
            Held::Multiplied64(start, step) | Held::Accumulated64(start, step) => {
                floats(start, step, self.count, self.out)
            }
        }
    }
}

#[inline]
fn integers(start: i64, step: i64, count: usize, out: DType) -> Option<Arange> {
    let (dtype, start, step) = match out {
        DType::I32 => (DType::I32, i64::from(start as i32), i64::from(step as i32)),
        _ => (DType::I64, start, step),
    };
    let end = i128::from(start) + i128::from(step) * i128::try_from(count).ok()?;
    if step == 0 || dtype == DType::I32 && end.abs() > EXACT {
        return None;
    }
    let end = i64::try_from(end).ok()?;
    Some(Arange { start: Number::Int(start), end: Number::Int(end), step: Number::Int(step), dtype })
}

#[inline]
fn floats(start: f64, step: f64, count: usize, out: DType) -> Option<Arange> {
    // The bits of the significand, and the exponents of the smallest and the largest power of two.
    let (precision, lowest, highest) = match out {
        DType::F16 => (11, -24, 15),
        DType::BF16 => (8, -133, 127),
        DType::F32 => (24, -149, 127),
        DType::F64 => (53, -1074, 1023),
        _ => return None,
    };
    let negative_zero = start == 0.0 && start.is_sign_negative();
    if !start.is_finite() || !step.is_finite() || step == 0.0 || negative_zero {
        return None;
    }
    // Everything is a multiple of `unit`, and representable if it is at most 2^precision units.
    let unit = [start, step].into_iter().filter(|value| *value != 0.0).map(lowest_bit).min()?;
    let largest = (unit + precision).min(highest);
    if unit < lowest || largest <= unit {
        return None;
    }
    let units = |value: f64| whole_units(value, unit, precision);
    let (first, by) = (units(start)?, units(step)?);
    let product = by.checked_mul(i128::try_from(count).ok()?)?;
    let limit = 1_i128 << (largest - unit);
    let end = first.checked_add(product)?;
    if [first, product, end].iter().any(|value| value.abs() > limit) {
        return None;
    }
    let end = end as f64 * 2_f64.powi(unit / 2) * 2_f64.powi(unit - unit / 2);
    Some(Arange {
        start: Number::Float(start),
        end: Number::Float(end),
        step: Number::Float(step),
        dtype: out,
    })
}

/// Returns the exponent of the lowest set bit of a number that is not zero.
#[inline]
fn lowest_bit(value: f64) -> i32 {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32 & 0x7FF, bits & ((1 << 52) - 1));
    match (exponent, fraction) {
        (0, fraction) => fraction.trailing_zeros() as i32 - 1074,
        (exponent, 0) => exponent - 1023,
        (exponent, fraction) => exponent - 1075 + fraction.trailing_zeros() as i32,
    }
}

/// Returns `value` in units of 2^unit, if it is at most 2^precision units.
#[inline]
fn whole_units(value: f64, unit: i32, precision: i32) -> Option<i128> {
    if value == 0.0 {
        return Some(0);
    }
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32 & 0x7FF, i128::from(bits & ((1 << 52) - 1)));
    let (significand, scale) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let shift = scale - unit;
    let magnitude = match u32::try_from(shift) {
        Ok(left) if left <= 64 => significand << left,
        Ok(_) => return None,
        Err(_) => significand >> shift.unsigned_abs().min(127),
    };
    (magnitude <= 1 << precision).then_some(if value < 0.0 { -magnitude } else { magnitude })
}
