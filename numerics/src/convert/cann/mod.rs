//! The conversions of CANN: those of the operator Cast, and those of scalars ([`scalar()`]), which the host makes.
//!
//! The table describes the Ascend 910B; [`converter_on`] has the rules of other products. Cast runs on two units of
//! the device, and the open sources state the rules of each unit separately: the AI core, by the kernel of the 950, and
//! AICPU, for f64, u64 and all complex types. The table holds the rules of both. † marks a choice of this crate where
//! the sources leave the result open.
//!
//! | from → to | rule |
//! |---|---|
//! | a type to itself, but for bool | the bytes are copied |
//! | f32, bf16 → f16; f32, f16 → bf16; f64 → f32 | one rounding, nearest even; f16 from 65520 on is infinite |
//! | f64 → f16, bf16 | through f32, two roundings; to bf16 one rounding on the 950 |
//! | integer → f16, bf16 | through f32: exact to f16 (what f32 rounds is infinite there), two roundings to bf16 † for u32, u64 |
//! | integer → f32, f64 | one rounding, nearest even |
//! | float → i32, i64, u32 †, u64 † | truncated, saturating; NaN gives 0 |
//! | float → i8, i16, u16 †; f16, f64 → u8 | truncated to i32, saturating; the low bits of that |
//! | f32, bf16 → u8 | truncated to i64, saturating; the low bits of that |
//! | integer → integer | low bits, or extended by the sign of the source |
//! | real → bool | value ≠ 0; NaN is true |
//! | bool → bool, number | 0 or 1: every byte but zero is true ‡ |
//! | complex → real | the real part, imaginary dropped; to i8, u8, i16, u16 the low bits of i32 † |
//! | complex → bool | real part ≠ 0 † |
//! | real → complex | the real part by these rules, imaginary +0 |
//! | complex → complex | part by part by these rules |
//!
//! A NaN among floats stays a NaN, quiet and with its sign.
//!
//! ‡ CANN's kernels take a bool to hold 0 or 1 and read its byte as a number, so they convert the byte 2 to the number
//! two. No operator writes such a byte, and no program should.
//!
//! The table says what each pair computes, not whether a product has a kernel for it: c32, for one, is cast on the
//! 950 only. [`has_cast`] returns whether Cast has a pair.
//!
//! # Types that the 950 alone casts
//!
//! | from → to | rule |
//! |---|---|
//! | f32, f16, bf16 → hif8 | one rounding, nearest, ties away from zero |
//! | f32, f16, bf16 → f8e5m2, f8e4m3fn | one rounding, nearest even |
//! | f32, f16 → f4e2m1, f4e1m2 | through bf16, two roundings, nearest even |
//! | hif8, f8e5m2, f8e4m3fn → f4e2m1, f4e1m2; bf16 → the same | one rounding, nearest even |
//! | any of these five → f32, f16, bf16; f4e2m1, f4e1m2 → hif8, f8e5m2, f8e4m3fn | exact |
//! | i32 → i4 | low bits |
//! | out of range → hif8, f8e5m2 † | ±∞ |
//! | out of range → f8e4m3fn † | NaN |
//! | out of range, ±∞ → f4e2m1, f4e1m2 † | the largest value, with the sign |
//! | NaN → f4e2m1, f4e1m2 † | zero, with the other sign |
//!
//! A bit of the hardware decides whether the conversion to f8e5m2 and f8e4m3fn saturates, and the sources do not show
//! it. This crate does what PyTorch does on a CPU.

mod loops;
mod pairs;
mod rules;
mod scalar;
mod special;

use half::{bf16, f16};
use num_complex::Complex;

use super::Converter;
use super::level::Level;
use super::odd::Odd;
use super::step::{Chain, Step};
use crate::dtype::DType;
use crate::element::Element;
use crate::product::Product;
use loops::Pair;
pub use pairs::{cast_by_way_of, has_cast};
use rules::{BoolByte, Source, Target};
pub use scalar::{ScalarValue, scalar, scalar_converter};

/// An element of one of the sixteen types of the promotion tables, between which CANN converts.
pub trait Numeric: Element + Source + Target {}

/// Matches one of the sixteen types and names the Rust type that its bytes are read as; `None` for other types.
macro_rules! with_raw {
    ($dtype:expr, $raw:ident => $body:expr) => {
        with_raw!(@ $dtype, $raw, $body;
            F32 f32, F16 f16, F64 f64, BF16 bf16, I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64,
            Bool BoolByte, C32 Complex<f16>, C64 Complex<f32>, C128 Complex<f64>)
    };
    (@ $dtype:expr, $raw:ident, $body:expr; $($variant:ident $type:ty),*) => {
        match $dtype {
            $(DType::$variant => {
                type $raw = $type;
                $body
            })*
            _ => None,
        }
    };
}
use with_raw;

macro_rules! numeric {
    ($($type:ty),*) => { $(impl Numeric for $type {})* };
}
numeric!(
    f32,
    f16,
    f64,
    bf16,
    i8,
    u8,
    i16,
    u16,
    i32,
    u32,
    i64,
    u64,
    bool,
    Complex<f16>,
    Complex<f32>,
    Complex<f64>
);

/// Returns the conversion of Cast between two of the sixteen types; `None` for any other type.
///
/// Look the conversion up once and run it on whole blocks. It uses the fastest instructions of this machine that it is
/// compiled for; the results are the same on every machine.
#[inline]
pub fn converter(from: DType, to: DType) -> Option<Converter> {
    converter_at(Level::best(), from, to)
}

#[inline]
pub(crate) fn converter_at(level: Level, from: DType, to: DType) -> Option<Converter> {
    with_raw!(from, A => with_raw!(to, B => Some(Pair::<A, B>::at(level))))
}

/// Returns the conversion of Cast on `product`, which differs from [`converter`] on the 950: it rounds f64 to bf16
/// once, and casts the floats of up to eight bits and i4. Elements narrower than a byte take one byte each here.
#[inline]
pub fn converter_on(product: Product, from: DType, to: DType) -> Option<Converter> {
    converter_on_at(Level::best(), product, from, to)
}

#[inline]
pub(super) fn converter_on_at(level: Level, product: Product, from: DType, to: DType) -> Option<Converter> {
    match (product, from, to) {
        (Product::Ascend950, DType::F64, DType::BF16) => Some(Chain::<Odd<f64>, Pair<f32, bf16>>::at(level)),
        (Product::Ascend950, ..) => {
            converter_at(level, from, to).or_else(|| special::converter(level, from, to))
        }
        _ => converter_at(level, from, to),
    }
}

/// Converts one element as Cast does.
#[inline]
pub fn cast<A: Numeric, B: Numeric>(value: A) -> B {
    B::of(value)
}

/// Converts as many elements as both slices hold, as Cast does.
#[inline]
pub fn cast_slice<A: Numeric, B: Numeric>(source: &[A], target: &mut [B]) {
    for (to, &from) in target.iter_mut().zip(source) {
        *to = B::of(from);
    }
}
