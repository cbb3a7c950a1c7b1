//! The numbers that reductions combine: elements as they lie in memory, and words, of which states consist.

use std::ops::{Add, Mul};

use bytemuck::Pod;
use half::{bf16, f16};
use num_complex::Complex64;

/// A number that is added and multiplied.
pub(super) trait Number: Pod + PartialOrd + Send + Sync {
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// The greater of two numbers, or the smaller, and a NaN if one is; the first of those that are equal.
    fn extreme<const GREATEST: bool>(self, other: Self) -> Self;
}

/// A number of which states consist: f64 or i64.
pub(super) trait Word: Number {
    const ZERO: Self;
    const ONE: Self;
    /// The least and the most of all values.
    const LEAST: Self;
    const MOST: Self;
    /// Whether vectors of AVX-512 pay. The compiler makes gathers of loops over integers, whose order does not matter.
    #[cfg(target_arch = "x86_64")]
    const PAYS_WIDE: bool;

    /// The value rounded to f32.
    fn as_f32(self) -> Self;
    /// The value, and the same NaN for every NaN.
    fn with_one_nan(self) -> Self;
    fn of(count: usize) -> Self;
}

macro_rules! numbers {
    ($($type:ty: $plus:expr, $times:expr, |$most:ident, $x:ident| $extreme:expr;)*) => {$(
        impl Number for $type {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                $plus(self, other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                $times(self, other)
            }
            #[inline(always)]
            fn extreme<const GREATEST: bool>(self, $x: Self) -> Self {
                let wins = if GREATEST { $x > self } else { $x < self };
                let $most = if wins { $x } else { self };
                $extreme
            }
        }
    )*};
}
// A NaN is brought in by its bits: the comparison is then one instruction.
numbers! {
    f32: Add::add, Mul::mul, |most, x| f32::from_bits(most.to_bits() | if x.is_nan() { x.to_bits() } else { 0 });
    f64: Add::add, Mul::mul, |most, x| f64::from_bits(most.to_bits() | if x.is_nan() { x.to_bits() } else { 0 });
    i32: i32::wrapping_add, i32::wrapping_mul, |most, x| most;
    i64: i64::wrapping_add, i64::wrapping_mul, |most, x| most;
}

impl Word for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const LEAST: Self = f64::NEG_INFINITY;
    const MOST: Self = f64::INFINITY;
    #[cfg(target_arch = "x86_64")]
    const PAYS_WIDE: bool = true;

    #[inline(always)]
    fn as_f32(self) -> Self {
        f64::from(self as f32)
    }
    fn with_one_nan(self) -> Self {
        if self.is_nan() { f64::NAN } else { self }
    }
    fn of(count: usize) -> Self {
        count as f64
    }
}

impl Word for i64 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const LEAST: Self = i64::MIN;
    const MOST: Self = i64::MAX;
    #[cfg(target_arch = "x86_64")]
    const PAYS_WIDE: bool = false;

    #[inline(always)]
    fn as_f32(self) -> Self {
        self
    }
    fn with_one_nan(self) -> Self {
        self
    }
    fn of(count: usize) -> Self {
        count as i64
    }
}

/// An element in memory, as the type that it is combined in.
pub(super) trait Widen<W>: Pod + Send + Sync {
    fn widen(self) -> W;
}

macro_rules! widen {
    ($($from:ty => $to:ty),*) => {$(
        impl Widen<$to> for $from {
            #[inline(always)]
            fn widen(self) -> $to {
                self.into()
            }
        }
    )*};
}
widen!(f32 => f32, f32 => f64, f64 => f64, i32 => i32, i32 => i64, i64 => i64, Complex64 => Complex64);

/// The greatest of the elements, and the sum of their powers of e relative to it.
impl Widen<[f32; 2]> for f32 {
    #[inline(always)]
    fn widen(self) -> [f32; 2] {
        [self, 1.0]
    }
}

impl Widen<f32> for f16 {
    /// By operations that become vectors with all instructions.
    #[inline(always)]
    fn widen(self) -> f32 {
        /// The power of two between the exponents of f32 and of f16, which have other biases.
        const SCALE: f32 = f32::from_bits((127 + 112) << 23);
        let bits = (i32::from(self.to_bits() as i16) << 13) as u32 & 0x8FFF_FFFF;
        // Infinities and NaNs have the greatest exponent.
        let special = if self.to_bits() & 0x7C00 == 0x7C00 { 0x7F80_0000 } else { 0 };
        f32::from_bits((f32::from_bits(bits) * SCALE).to_bits() | special)
    }
}

impl Widen<f32> for bf16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
}
