//! The rules of each pair of types, as methods of the source.

use half::{bf16, f16};
use num_complex::Complex;

use crate::convert::level::{
    i32_from_f32, i32_from_f64, i64_from_f32, i64_from_f64, u32_from_f32, u32_from_f64, u64_from_f32,
    u64_from_f64,
};
use crate::convert::round;

/// A bool as a tensor holds it: a byte of which any value but zero is true.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct BoolByte(u8);

macro_rules! delegated {
    ($($method:ident -> $type:ty)*) => {$(
        #[inline(always)]
        fn $method(self) -> $type {
            self.via().$method()
        }
    )*};
}

/// A value to convert. Every rule that its type does not define is the rule of its `Via`.
pub trait Source: Copy {
    /// The type whose rules apply where this type defines none; the type itself where it defines all of them.
    type Via: Source;

    fn via(self) -> Self::Via;

    delegated! {
        to_f32 -> f32
        to_f16 -> f16
        to_f64 -> f64
        to_bf16 -> bf16
        to_i8 -> i8
        to_u8 -> u8
        to_i16 -> i16
        to_u16 -> u16
        to_i32 -> i32
        to_u32 -> u32
        to_i64 -> i64
        to_u64 -> u64
        to_bool -> bool
    }

    /// Returns the real part of a complex target.
    #[inline(always)]
    fn real<T: Target>(self) -> T {
        T::of(self)
    }

    /// Returns the imaginary part of a complex target.
    #[inline(always)]
    fn imaginary<T: Target>(self) -> T {
        T::of(0u8)
    }
}

/// A type to which values are converted.
pub trait Target: Copy {
    fn of(source: impl Source) -> Self;
}

macro_rules! targets {
    ($($type:ty: $method:ident)*) => {$(
        impl Target for $type {
            #[inline(always)]
            fn of(source: impl Source) -> Self {
                source.$method()
            }
        }
    )*};
}

targets! {
    f32: to_f32
    f16: to_f16
    f64: to_f64
    bf16: to_bf16
    i8: to_i8
    u8: to_u8
    i16: to_i16
    u16: to_u16
    i32: to_i32
    u32: to_u32
    i64: to_i64
    u64: to_u64
    bool: to_bool
}

impl Target for BoolByte {
    #[inline(always)]
    fn of(source: impl Source) -> Self {
        BoolByte(source.to_bool().into())
    }
}

impl<T: Target> Target for Complex<T> {
    #[inline(always)]
    fn of(source: impl Source) -> Self {
        Complex::new(source.real(), source.imaginary())
    }
}

/// Defines the methods of a source, each as an expression of its value.
macro_rules! source {
    ($type:ty as $via:ty, $self:ident => $seen:expr;
        $($method:ident: $result:ty = $value:expr;)*) => {
        impl Source for $type {
            type Via = $via;

            #[inline(always)]
            fn via($self) -> $via {
                $seen
            }

            $(
                #[inline(always)]
                fn $method($self) -> $result {
                    $value
                }
            )*
        }
    };
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        source! { $type as Self, self => self;
            to_f32: f32 = self as f32;
            to_f16: f16 = round::f16_from_f32(self as f32);
            to_f64: f64 = self as f64;
            to_bf16: bf16 = round::bf16_from_f32(self as f32);
            to_i8: i8 = self as i8;
            to_u8: u8 = self as u8;
            to_i16: i16 = self as i16;
            to_u16: u16 = self as u16;
            to_i32: i32 = self as i32;
            to_u32: u32 = self as u32;
            to_i64: i64 = self as i64;
            to_u64: u64 = self as u64;
            to_bool: bool = self != 0;
        }
    )*};
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64);

source! { f32 as f32, self => self;
    to_f32: f32 = self;
    to_f16: f16 = round::f16_from_f32(self);
    to_f64: f64 = self as f64;
    to_bf16: bf16 = round::bf16_from_f32(self);
    to_i8: i8 = i32_from_f32(self) as i8;
    // Through i64. From 2³¹ up the value is a multiple of 2⁸, whose low byte is zero, which spares the slow 64-bit
    // conversion; where i64 saturates, the result is the low byte of the largest i64.
    to_u8: u8 = if (2147483648.0..9223372036854775808.0).contains(&self) { 0 } else { i32_from_f32(self) as u8 };
    to_i16: i16 = i32_from_f32(self) as i16;
    to_u16: u16 = i32_from_f32(self) as u16;
    to_i32: i32 = i32_from_f32(self);
    to_u32: u32 = u32_from_f32(self);
    to_i64: i64 = i64_from_f32(self);
    to_u64: u64 = u64_from_f32(self);
    to_bool: bool = self != 0.0;
}

source! { f64 as f64, self => self;
    to_f32: f32 = self as f32;
    to_f16: f16 = round::f16_from_f32(self as f32);
    to_f64: f64 = self;
    to_bf16: bf16 = round::bf16_from_f32(self as f32);
    to_i8: i8 = i32_from_f64(self) as i8;
    to_u8: u8 = i32_from_f64(self) as u8;
    to_i16: i16 = i32_from_f64(self) as i16;
    to_u16: u16 = i32_from_f64(self) as u16;
    to_i32: i32 = i32_from_f64(self);
    to_u32: u32 = u32_from_f64(self);
    to_i64: i64 = i64_from_f64(self);
    to_u64: u64 = u64_from_f64(self);
    to_bool: bool = self != 0.0;
}

source! { f16 as f32, self => round::f32_from_f16(self);
    to_f16: f16 = self;
    to_u8: u8 = i32_from_f32(self.via()) as u8;
}

source! { bf16 as f32, self => round::f32_from_bf16(self);
    to_bf16: bf16 = self;
}

source! { bool as u8, self => self.into(); }

source! { BoolByte as u8, self => u8::from(self.0 != 0); }

impl<F: Source> Source for Complex<F> {
    type Via = F;

    #[inline(always)]
    fn via(self) -> F {
        self.re
    }

    #[inline(always)]
    fn to_u8(self) -> u8 {
        self.re.to_i32() as u8
    }

    #[inline(always)]
    fn imaginary<T: Target>(self) -> T {
        T::of(self.im)
    }
}
