//! Scalars: single values that are operands beside tensors.

use std::fmt;

use aclnn_numerics::convert::cann::{ScalarValue, scalar as converted};
use aclnn_numerics::element::{F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0, HiF8};
use aclnn_numerics::range::Number;
use aclnn_numerics::{Class, Complex, DType, Element, bf16, f16};

use crate::error::OperandInfo;

/// A single value with its type, made from any Rust number: `2` is an i32, `0.5` an f64, `0.5f32` an f32. A
/// `usize` is an i64.
///
/// In promotion the type of a scalar has less weight than the type of a tensor: an f16 tensor stays f16 with any real
/// scalar, and an integer tensor becomes f32 with any float scalar ([`RevisedScalar`](crate::promote::RevisedScalar) is
/// the table).
///
/// ```
/// use aclnn::{DType, Scalar};
///
/// assert_eq!(Scalar::from(0.5).dtype(), DType::F64);
/// assert_eq!(Scalar::from(0.5).to_string(), "0.5");
/// ```
#[doc(alias = "aclScalar")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scalar(ScalarValue);

/// One implementation for each type, beside which `usize` can have its own. [`Scalar::new`] is generic.
macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl From<$type> for Scalar {
            fn from(value: $type) -> Scalar {
                Scalar::new(value)
            }
        }
    )*};
}

numbers! {
    f32 f64 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64 bool Complex<f16> Complex<f32> Complex<f64>
    HiF8 F8E5M2 F8E4M3FN F8E8M0 F8E4M3FNUZ F8E5M2FNUZ
}

/// Converts to an i64, or to a u64 if the value is larger, so that sizes are arguments as they are.
impl From<usize> for Scalar {
    fn from(value: usize) -> Scalar {
        i64::try_from(value).map_or_else(|_| Scalar::new(value as u64), Scalar::new)
    }
}

/// Converts to an i64.
impl From<isize> for Scalar {
    fn from(value: isize) -> Scalar {
        Scalar::new(value as i64)
    }
}

impl From<&Scalar> for Scalar {
    fn from(scalar: &Scalar) -> Scalar {
        *scalar
    }
}

impl Scalar {
    /// The i32 1.
    pub(crate) const ONE: Scalar = Scalar(ScalarValue::of_i32(1));

    /// Makes a scalar of a value, for functions that are generic over the type; `Scalar::from` does the same for each type.
    ///
    /// ```
    /// use aclnn::{DType, Scalar};
    ///
    /// assert_eq!(Scalar::new(2u8).dtype(), DType::U8);
    /// assert_eq!(Scalar::from([1, 2, 3].len()).dtype(), DType::I64);
    /// ```
    pub fn new<T: Element>(value: T) -> Scalar {
        Scalar(ScalarValue::from(value))
    }

    /// Returns the type of the value.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.0.dtype()
    }

    /// Returns the value, if it is of type `T`.
    pub fn get<T: Element>(&self) -> Option<T> {
        self.0.get()
    }

    /// Returns the scalar converted to another type, by the rules of the library for scalars, or `None` for a type that
    /// has no scalars, such as c32.
    pub fn to(self, dtype: DType) -> Option<Scalar> {
        if self.dtype() == dtype && dtype != DType::C32 {
            return Some(self);
        }
        converted(self.0, dtype).map(Scalar)
    }

    pub(crate) fn from_value(value: ScalarValue) -> Scalar {
        Scalar(value)
    }

    #[inline]
    pub(crate) fn value(self) -> ScalarValue {
        self.0
    }

    /// Returns the real number that the scalar holds.
    pub(crate) fn number(&self) -> Option<Number> {
        Number::from_scalar(self.0)
    }

    /// Returns an unsigned integer as the signed one with the same bits, and other scalars unchanged.
    pub(crate) fn with_signed_bits(self) -> Scalar {
        let signed = (self.get::<u16>().map(|value| value.cast_signed().into()))
            .or_else(|| self.get::<u32>().map(|value| value.cast_signed().into()))
            .or_else(|| self.get::<u64>().map(|value| value.cast_signed().into()));
        signed.unwrap_or(self)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    pub(crate) fn info(&self, name: &'static str) -> OperandInfo {
        OperandInfo { name, dtype: self.dtype(), shape: None }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.number(), self.dtype().class()) {
            (Some(number), Class::Bool) => (number != Number::Int(0)).fmt(f),
            (Some(number), _) => number.fmt(f),
            _ => match self.to(DType::C128).and_then(|wide| wide.get::<Complex<f64>>()) {
                Some(Complex { re, im }) => {
                    let sign = if im.is_sign_negative() { '-' } else { '+' };
                    write!(f, "{}{sign}{}i", Number::from(re), Number::from(im.abs()))
                }
                None => write!(f, "{:?}", self.0),
            },
        }
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}{}", self.dtype())
    }
}
