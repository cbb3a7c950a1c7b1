//! Roundings to odd, before a rounding to a float shorter than f32.

use std::marker::PhantomData;

use bytemuck::Pod;

use super::level::{Halves, Level, Levels, Loop};
use super::step::Step;
use super::{Converter, convert_bytes, round};
use crate::dtype::DType;

/// The conversion of `A` to f32, rounded to odd.
pub(crate) struct Odd<A>(PhantomData<A>);

/// A type with values that f32 does not hold.
pub(crate) trait Wide: Pod {
    fn odd(self) -> f32;
}

macro_rules! wide {
    ($($variant:ident $type:ty: $self:ident => $odd:expr;)*) => {
        $(
            impl Wide for $type {
                #[inline(always)]
                fn odd($self) -> f32 {
                    $odd
                }
            }
        )*

        /// Returns the conversion of a type to f32, rounded to odd; `None` if f32 holds every value of the type.
        #[inline]
        pub(crate) fn to_f32_odd(level: Level, from: DType) -> Option<Converter> {
            match from {
                $(DType::$variant => Some(Odd::<$type>::at(level)),)*
                _ => None,
            }
        }
    };
}

wide! {
    F64 f64: self => round::f32_from_f64_to_odd(self);
    I32 i32: self => round::f32_from_f64_to_odd(self.into());
    U32 u32: self => round::f32_from_f64_to_odd(self.into());
    I64 i64: self => round::f32_from_i64_to_odd(self);
    U64 u64: self => round::f32_from_u64_to_odd(self);
}

impl<A: Wide> Step for Odd<A> {
    const FROM: usize = size_of::<A>();
    const TO: usize = size_of::<f32>();

    #[inline]
    fn at(level: Level) -> Converter {
        level.converter::<Self>()
    }
}

impl<A: Wide> Loop for Odd<A> {
    const LEVELS: Levels = Levels::Avx512;

    type Settings = ();

    #[inline(always)]
    fn run(_: impl Halves, _: &(), source: &[u8], target: &mut [u8]) {
        convert_bytes(source, target, A::odd);
    }
}
