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

use half::{bf16, f16};
use num_complex::Complex;

use super::rules::{BoolByte, Source, Target, source};
use super::with_raw;
use crate::convert::{Converter, convert_bytes, copy_bytes, round};
use crate::dtype::DType;
use crate::element::Element;

/// A value that is converted by the rules of the host.
#[derive(Clone, Copy)]
struct Host<T>(T);

fn f16_of(value: f16) -> f16 {
    if value.is_nan() { f16::from_bits(value.to_bits() | 0x7FFF) } else { value }
}

fn bf16_of(value: bf16) -> bf16 {
    if value.is_nan() { bf16::from_bits(0x7FC0) } else { value }
}

source! { Host<f32> as f32, self => self.0;
    to_f16: f16 = f16_of(self.0.to_f16());
    to_bf16: bf16 = bf16_of(self.0.to_bf16());
    to_u8: u8 = self.0 as i32 as u8;
    to_bool: bool = self.0.abs() >= 1.1920929e-7;
}

source! { Host<f64> as f64, self => self.0;
    to_f16: f16 = f16_of(round::f16_from_f64(self.0));
    to_bf16: bf16 = bf16_of(self.0.to_bf16());
    to_bool: bool = self.0.abs() >= 2.22e-16;
}

source! { Host<f16> as Host<f32>, self => Host(self.0.to_f32()); }

source! { Host<bf16> as Host<f32>, self => Host(self.0.to_f32()); }

/// Zero as a real number, unchanged as a complex one.
impl<F: Source> Source for Host<Complex<F>> {
    type Via = u8;

    #[inline(always)]
    fn via(self) -> u8 {
        0
    }

    #[inline(always)]
    fn real<T: Target>(self) -> T {
        T::of(self.0.re)
    }

    #[inline(always)]
    fn imaginary<T: Target>(self) -> T {
        T::of(self.0.im)
    }
}

macro_rules! as_cast {
    ($($type:ty)*) => { $(source! { Host<$type> as $type, self => self.0; })* };
}

as_cast!(i8 u8 i16 u16 i32 u32 i64 u64 BoolByte);

/// Returns the conversion of a scalar between two types; `None` if there are no scalars of one of the types.
pub fn scalar_converter(from: DType, to: DType) -> Option<Converter> {
    if from == DType::C32 || to == DType::C32 {
        return None;
    }
    if from == to && from != DType::Bool {
        return with_raw!(from, A => Some(copy_bytes::<A>));
    }
    with_raw!(from, A => with_raw!(to, B => {
        Some(|source, target| convert_bytes(source, target, |value: A| B::of(Host(value))))
    }))
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
    pub fn new(dtype: DType, bytes: &[u8]) -> Option<ScalarValue> {
        let size = Self::size(dtype)?;
        let mut value = ScalarValue { dtype, bytes: [0; 16] };
        value.bytes.get_mut(..size)?.copy_from_slice(bytes.get(..size)?);
        Some(value)
    }

    fn size(dtype: DType) -> Option<usize> {
        let bits = dtype.bits();
        (bits > 0 && bits.is_multiple_of(8)).then_some(bits / 8)
    }

    /// Returns the type of the element.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns the bytes of the element.
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
    fn from(value: T) -> ScalarValue {
        let mut bytes = [0; 16];
        for (to, from) in bytes.iter_mut().zip(T::as_bytes(&[value])) {
            *to = *from;
        }
        ScalarValue { dtype: T::DTYPE, bytes }
    }
}

impl std::fmt::Debug for ScalarValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:02x?}", self.dtype, self.as_bytes())
    }
}

/// Converts a scalar to another type; `None` if there are no scalars of one of the types.
pub fn scalar(value: ScalarValue, to: DType) -> Option<ScalarValue> {
    let convert = scalar_converter(value.dtype, to)?;
    let mut bytes = [0; 16];
    convert(value.as_bytes(), bytes.get_mut(..to.bits() / 8)?);
    Some(ScalarValue { dtype: to, bytes })
}
