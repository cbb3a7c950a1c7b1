//! Conversions of an `aclScalar`. The host makes them, and they differ from Cast.
//!
//! | from → to | rule, where it differs from Cast |
//! |---|---|
//! | f32, f16 †, bf16 † → bool | magnitude at least 1.1920929e-7; NaN is false |
//! | f64 → bool | magnitude at least 2.22e-16; NaN is false |
//! | complex → real | 0, whatever the value |
//! | float → u8 | truncated to i32, saturating; the low bits of that, from every float type |
//! | f64 → f16 | one rounding |
//! | NaN → f16 | the sign with 0x7FFF |
//! | NaN → bf16 | 0x7FC0, the sign is lost |
//!
//! Conversions through another integer (u16 through i16, i64 → f16 through i32) give the same result as Cast.
//! There are no scalars of c32.

use bytemuck::Pod;
use half::{bf16, f16};
use num_complex::Complex;

use super::rules::{BoolByte, Source, Target};
use super::with_raw;
use crate::convert::{Converter, round};
use crate::dtype::DType;
use crate::element::Element;

#[inline]
fn f16_of(value: f16) -> f16 {
    if value.is_nan() { f16::from_bits(value.to_bits() | 0x7FFF) } else { value }
}

#[inline]
fn bf16_of(value: bf16) -> bf16 {
    if value.is_nan() { bf16::from_bits(0x7FC0) } else { value }
}

#[inline]
fn is_true(value: f32) -> u8 {
    (value.abs() >= 1.1920929e-7).into()
}

/// Converts the first element, without a loop: every program has all of these conversions.
fn first<A: Pod, B: Pod>(source: &[u8], target: &mut [u8], convert: impl Fn(A) -> B) {
    if let (Some(from), Some(to)) = (source.get(..size_of::<A>()), target.get_mut(..size_of::<B>())) {
        to.copy_from_slice(bytemuck::bytes_of(&convert(bytemuck::pod_read_unaligned(from))));
    }
}

fn copied<A: Pod>(source: &[u8], target: &mut [u8]) {
    first(source, target, |value: A| value);
}

/// Converts a complex number to a real one.
fn zero<A: Pod, B: Pod>(source: &[u8], target: &mut [u8]) {
    first(source, target, |_: A| B::zeroed());
}

/// Converts as Cast does.
fn cast<A: Pod + Source, B: Pod + Target>(source: &[u8], target: &mut [u8]) {
    first(source, target, |value: A| B::of(value));
}

/// Returns the conversion of a scalar between two types; `None` if there are no scalars of one of the types.
///
/// The conversion takes the first element alone: the rest of the target keeps its bytes, and all of it where the source or the
/// target has less than one element.
#[inline(never)] // Every program has it.
pub fn scalar_converter(from: DType, to: DType) -> Option<Converter> {
    use DType::{BF16, Bool, C32, C64, C128, F16, F32, F64, U8};
    if from == C32 || to == C32 {
        return None;
    }
    Some(match (from, to) {
        (F32, Bool) => |source, target| first(source, target, is_true),
        (F16, Bool) => |source, target| first(source, target, |value: f16| is_true(value.to_f32())),
        (BF16, Bool) => |source, target| first(source, target, |value: bf16| is_true(value.to_f32())),
        (F64, Bool) => |source, target| first(source, target, |value: f64| u8::from(value.abs() >= 2.22e-16)),
        (F32, U8) => |source, target| first(source, target, |value: f32| value as i32 as u8),
        (BF16, U8) => |source, target| first(source, target, |value: bf16| value.to_f32() as i32 as u8),
        (F32, F16) => |source, target| first(source, target, |value: f32| f16_of(value.to_f16())),
        (BF16, F16) => |source, target| first(source, target, |value: bf16| f16_of(value.to_f16())),
        (F64, F16) => |source, target| first(source, target, |value| f16_of(round::f16_from_f64(value))),
        (F32, BF16) => |source, target| first(source, target, |value: f32| bf16_of(value.to_bf16())),
        (F16, BF16) => |source, target| first(source, target, |value: f16| bf16_of(value.to_bf16())),
        (F64, BF16) => |source, target| first(source, target, |value: f64| bf16_of(value.to_bf16())),
        (C64 | C128, to) if !to.is_complex() => {
            with_raw!(from, A => with_raw!(to, B => Some(zero::<A, B> as Converter)))?
        }
        _ if from == to && from != Bool => with_raw!(from, A => Some(copied::<A> as Converter))?,
        _ => with_raw!(from, A => with_raw!(to, B => Some(cast::<A, B> as Converter)))?,
    })
}

/// One element and its type, as an `aclScalar` holds them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScalarValue {
    dtype: DType,
    bytes: [u8; 16],
}

impl ScalarValue {
    /// Creates a scalar from the bytes of one element; `None` if there are too few bytes or the type does not take
    /// whole bytes.
    #[inline]
    pub fn new(dtype: DType, bytes: &[u8]) -> Option<ScalarValue> {
        let size = Self::size(dtype)?;
        let mut value = ScalarValue { dtype, bytes: [0; 16] };
        value.bytes.get_mut(..size)?.copy_from_slice(bytes.get(..size)?);
        Some(value)
    }

    /// Creates an i32.
    #[inline]
    pub const fn of_i32(value: i32) -> ScalarValue {
        let [a, b, c, d] = value.to_ne_bytes();
        ScalarValue { dtype: DType::I32, bytes: [a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
    }

    #[inline]
    fn size(dtype: DType) -> Option<usize> {
        let bits = dtype.bits();
        (bits > 0 && bits.is_multiple_of(8)).then_some(bits / 8)
    }

    /// Returns the bytes of the element, filled up with zeros.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 16] {
        self.bytes
    }

    /// Returns the type of the element.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns the bytes of the element.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.dtype.bits() / 8).unwrap_or_default()
    }

    /// Returns the element if its type is `T`.
    pub fn get<T: Element>(&self) -> Option<T> {
        if self.dtype != T::DTYPE {
            return None;
        }
        T::read_first(self.as_bytes())
    }
}

impl<T: Element> From<T> for ScalarValue {
    #[inline]
    fn from(value: T) -> ScalarValue {
        let mut bytes = [0; 16];
        for (to, from) in bytes.iter_mut().zip(T::as_bytes(&[value])) {
            *to = *from;
        }
        ScalarValue { dtype: T::DTYPE, bytes }
    }
}

impl std::fmt::Debug for ScalarValue {
    #[inline]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:02x?}", self.dtype, self.as_bytes())
    }
}

/// Converts a scalar to another type; `None` if there are no scalars of one of the types.
#[inline]
pub fn scalar(value: ScalarValue, to: DType) -> Option<ScalarValue> {
    let convert = scalar_converter(value.dtype, to)?;
    let mut bytes = [0; 16];
    convert(value.as_bytes(), bytes.get_mut(..to.bits() / 8)?);
    Some(ScalarValue { dtype: to, bytes })
}
