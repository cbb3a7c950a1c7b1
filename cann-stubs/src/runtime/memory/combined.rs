//! [`Combined`]: two elements of a type become one, for reductions of memory and for collectives.

use aclnn_numerics::convert::round::{bf16_from_f32, f16_from_f32, f32_from_bf16, f32_from_f16};
use aclnn_numerics::{bf16, f16};
use bytemuck::Pod;

/// A type of elements that can be combined. Integers wrap; NaN is larger and smaller than any number, as in `aclnnMaximum`.
pub(crate) trait Combined: Pod {
    fn sum(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    fn larger(self, other: Self) -> Self;
    fn smaller(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Combined for $type {
            fn sum(self, other: Self) -> Self { self.wrapping_add(other) }
            fn product(self, other: Self) -> Self { self.wrapping_mul(other) }
            fn larger(self, other: Self) -> Self { self.max(other) }
            fn smaller(self, other: Self) -> Self { self.min(other) }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Combined for $type {
            fn sum(self, other: Self) -> Self { self + other }
            fn product(self, other: Self) -> Self { self * other }
            fn larger(self, other: Self) -> Self { if self > other || self.is_nan() { self } else { other } }
            fn smaller(self, other: Self) -> Self { if self < other || self.is_nan() { self } else { other } }
        }
    )*};
}

floats! { f32 f64 }

/// Through f32, rounded once.
macro_rules! halves {
    ($($type:ty, $widen:ident, $round:ident;)*) => {$(
        impl Combined for $type {
            fn sum(self, other: Self) -> Self { $round($widen(self).sum($widen(other))) }
            fn product(self, other: Self) -> Self { $round($widen(self).product($widen(other))) }
            fn larger(self, other: Self) -> Self { $round($widen(self).larger($widen(other))) }
            fn smaller(self, other: Self) -> Self { $round($widen(self).smaller($widen(other))) }
        }
    )*};
}

halves! {
    f16, f32_from_f16, f16_from_f32;
    bf16, f32_from_bf16, bf16_from_f32;
}
