//! The scalars that define a range.

use std::fmt;

use half::{bf16, f16};

use crate::convert::cann::{ScalarValue, scalar as scalar_as};
use crate::dtype::{Class, DType};

/// A real scalar, exactly as it was given.
///
/// An f32 of 0.1 and an f64 of 0.1 are different numbers here, as they are for the operators.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer of up to 64 bits, or a bool.
    Int(i64),
    /// An integer that may exceed `i64`.
    UInt(u64),
    /// A float of any width; every one fits without loss.
    Float(f64),
}

impl Number {
    /// Returns the number that a scalar holds; `None` for complex and 8-bit float scalars.
    #[inline]
    pub fn from_scalar(scalar: ScalarValue) -> Option<Number> {
        match scalar.dtype().class() {
            Class::Float => scalar_as(scalar, DType::F64)?.get().map(Number::Float),
            Class::Unsigned => scalar_as(scalar, DType::U64)?.get().map(Number::UInt),
            Class::Signed | Class::Bool => scalar_as(scalar, DType::I64)?.get().map(Number::Int),
            Class::Complex | Class::String => None,
        }
    }

    /// Returns the nearest f32, ties to even.
    #[inline]
    pub fn to_f32(self) -> f32 {
        match self {
            Number::Int(v) => v as f32,
            Number::UInt(v) => v as f32,
            Number::Float(v) => v as f32,
        }
    }

    /// Returns the nearest f64, ties to even.
    #[inline]
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Int(v) => v as f64,
            Number::UInt(v) => v as f64,
            Number::Float(v) => v,
        }
    }

    /// Converts to i32. Floats are truncated and saturate, and NaN gives 0; an integer keeps its low bits.
    #[inline]
    pub fn to_i32(self) -> i32 {
        match self {
            Number::Int(v) => v as i32,
            Number::UInt(v) => v as i32,
            Number::Float(v) => v as i32,
        }
    }

    /// Converts to i64. Floats are truncated and saturate, and NaN gives 0; an integer keeps its low bits.
    #[inline]
    pub fn to_i64(self) -> i64 {
        match self {
            Number::Int(v) => v,
            Number::UInt(v) => v as i64,
            Number::Float(v) => v as i64,
        }
    }
}

/// Writes a float beyond 10¹⁶, or closer to zero than 10⁻⁵, with an exponent: `1e300`.
impl fmt::Display for Number {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(v) => v.fmt(f),
            Number::UInt(v) => v.fmt(f),
            Number::Float(v) if v.is_finite() && *v != 0.0 && !(1e-5..1e16).contains(&v.abs()) => {
                fmt::LowerExp::fmt(v, f)
            }
            Number::Float(v) => v.fmt(f),
        }
    }
}

macro_rules! from {
    ($variant:ident: $($type:ty)*) => {$(
        impl From<$type> for Number {
            #[inline]
            fn from(value: $type) -> Number {
                Number::$variant(value.into())
            }
        }
    )*};
}

from!(Int: i8 u8 i16 u16 i32 u32 i64 bool);
from!(UInt: u64);
from!(Float: f32 f16 bf16 f64);
