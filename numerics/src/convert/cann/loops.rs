//! The way from each of the sixteen types to each other: a loop, or steps through other types.
//!
//! | from → to | by way of |
//! |---|---|
//! | a type to itself, an integer to another one as long | a copy |
//! | f16, bf16 ↔ any type but f32 | f32 |
//! | bool → any type but f32 | 0 or 1 of u8 |
//! | complex → real | the real part; c64 → bytes by f64 |
//! | real → complex | the real part |
//! | complex → complex | part by part |
//! | other pairs | a loop |
//!
//! Integers have loops by the number of bits, and by the sign of the source where it matters.

use std::marker::PhantomData;

use bytemuck::Pod;
use half::{bf16, f16};
use num_complex::Complex;

use super::rules::{BoolByte, Source, Target};
use crate::convert::level::{Halves, Level, Levels, Loop};
use crate::convert::step::{Chain, Copy, Parts, Step};
use crate::convert::{Converter, convert_bytes};

/// The kind of numbers, which decides the way of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    F16,
    BF16,
    F32,
    F64,
    Bool,
    /// Of up to four bytes, or without a sign.
    Integer,
    I64,
    Complex,
}

impl Kind {
    #[inline]
    const fn is_integer(self) -> bool {
        matches!(self, Kind::Integer | Kind::I64)
    }
}

/// One of the sixteen types, as its bytes are read.
pub(super) trait Raw: Pod + Source + Target {
    const KIND: Kind;

    /// The unsigned integer that is as long as an integer; of other types the type itself.
    type Bits: Raw;

    /// The real part of a complex type; of other types the type itself.
    type Part: Raw;
}

macro_rules! raw {
    ($($type:ty: $kind:ident, $bits:ty, $part:ty;)*) => {$(
        impl Raw for $type {
            const KIND: Kind = Kind::$kind;
            type Bits = $bits;
            type Part = $part;
        }
    )*};
}

raw! {
    f16: F16, Self, Self;
    bf16: BF16, Self, Self;
    f32: F32, Self, Self;
    f64: F64, Self, Self;
    BoolByte: Bool, Self, Self;
    i8: Integer, u8, Self;
    u8: Integer, u8, Self;
    i16: Integer, u16, Self;
    u16: Integer, u16, Self;
    i32: Integer, u32, Self;
    u32: Integer, u32, Self;
    i64: I64, u64, Self;
    u64: Integer, u64, Self;
    Complex<f16>: Complex, Self, f16;
    Complex<f32>: Complex, Self, f32;
    Complex<f64>: Complex, Self, f64;
}

/// The conversion of Cast from `A` to `B`.
pub(crate) struct Pair<A, B>(PhantomData<(A, B)>);

impl<A: Raw, B: Raw> Pair<A, B> {
    const SHORT: bool =
        matches!(A::KIND, Kind::F16 | Kind::BF16) || matches!(B::KIND, Kind::F16 | Kind::BF16);
    const F32: bool = matches!(A::KIND, Kind::F32) || matches!(B::KIND, Kind::F32);
    const INTEGERS: bool = A::KIND.is_integer() && B::KIND.is_integer();
    const FROM_COMPLEX: bool = matches!(A::KIND, Kind::Complex);
    const TO_COMPLEX: bool = matches!(B::KIND, Kind::Complex);
    const FROM_BOOL: bool = matches!(A::KIND, Kind::Bool);
    const TO_BOOL: bool = matches!(B::KIND, Kind::Bool);
    const SAME_SIZE: bool = Self::FROM == Self::TO;
    /// Equal types; of two bytes there are two floats.
    const COPY: bool = Self::SAME_SIZE
        && (Self::INTEGERS
            || Self::FROM_COMPLEX && Self::TO_COMPLEX
            || matches!(
                (A::KIND, B::KIND),
                (Kind::F16, Kind::F16)
                    | (Kind::BF16, Kind::BF16)
                    | (Kind::F32, Kind::F32)
                    | (Kind::F64, Kind::F64)
            ));
    /// Cast makes a u8 of a c64 by way of i32, as it does of an f64, but of an f32 by way of i64.
    const C64_TO_BYTE: bool = Self::FROM_COMPLEX && Self::FROM == 8 && Self::TO == 1;
}

impl<A: Raw, B: Raw> Step for Pair<A, B> {
    const FROM: usize = size_of::<A>();
    const TO: usize = size_of::<B>();

    // Only the branch that is taken is compiled.
    #[inline]
    fn at(level: Level) -> Converter {
        if const { Self::COPY } {
            Copy::<A>::at(level)
        } else if const { Self::FROM_COMPLEX && Self::TO_COMPLEX } {
            Parts::<Pair<A::Part, B::Part>, 2>::at(level)
        } else if const { Self::C64_TO_BYTE } {
            Chain::<Chain<RealPart<A::Part>, Pair<A::Part, f64>>, Pair<f64, B>>::at(level)
        } else if const { Self::FROM_COMPLEX } {
            Chain::<RealPart<A::Part>, Pair<A::Part, B>>::at(level)
        } else if const { Self::TO_COMPLEX } {
            Chain::<Pair<A, B::Part>, WithZero<B::Part>>::at(level)
        } else if const { Self::SHORT && !Self::F32 } {
            Chain::<Pair<A, f32>, Pair<f32, B>>::at(level)
        } else if const { Self::FROM_BOOL && !Self::TO_BOOL && !Self::F32 } {
            Chain::<Pair<BoolByte, BoolByte>, Pair<u8, B>>::at(level)
        } else if const { Self::INTEGERS && Self::FROM > Self::TO } {
            level.converter::<Each<A::Bits, B::Bits>>()
        } else if const { Self::INTEGERS } {
            level.converter::<Each<A, B::Bits>>()
        } else if const { Self::TO_BOOL } {
            level.converter::<Each<A::Bits, B>>()
        } else {
            level.converter::<Each<A, B>>()
        }
    }
}

/// A loop that converts each element by its rule.
struct Each<A, B>(PhantomData<(A, B)>);

impl<A: Raw, B: Raw> Loop for Each<A, B> {
    // Without AVX-512 there are no instructions between 64-bit integers and floats.
    const LEVELS: Levels = match (A::KIND, B::KIND) {
        (Kind::F32, Kind::BF16) => Levels::All,
        (Kind::F16 | Kind::BF16, _) | (_, Kind::F16 | Kind::BF16) => Levels::Both,
        (Kind::F32 | Kind::F64, integer) if integer.is_integer() && size_of::<B>() == 8 => Levels::Avx512,
        (integer, Kind::F32 | Kind::F64) if integer.is_integer() && size_of::<A>() == 8 => Levels::Avx512,
        (Kind::F32 | Kind::F64, Kind::Integer) => Levels::Both,
        _ => Levels::Avx2,
    };

    type Settings = ();

    #[inline(always)]
    fn run(halves: impl Halves, _: &(), source: &[u8], target: &mut [u8]) {
        match const { (A::KIND, B::KIND) } {
            (Kind::F16, Kind::F32) => halves.widen(source, target),
            (Kind::BF16, Kind::F32) => halves.widen_bf16(source, target),
            (Kind::F32, Kind::F16) => halves.narrow(source, target),
            (Kind::F32, Kind::BF16) => halves.narrow_to_bf16(source, target),
            (Kind::I64, Kind::F32) => halves.round_i64(source, target),
            _ => convert_bytes(source, target, |value: A| B::of(value)),
        }
    }
}

/// The real parts of complex numbers.
struct RealPart<F>(PhantomData<F>);

impl<F: Raw> Step for RealPart<F> {
    const FROM: usize = 2 * size_of::<F>();
    const TO: usize = size_of::<F>();

    #[inline]
    fn at(_: Level) -> Converter {
        |source, target| convert_bytes(source, target, |[real, _]: [F; 2]| real)
    }
}

/// Complex numbers with an imaginary part of +0.
struct WithZero<F>(PhantomData<F>);

impl<F: Raw> Step for WithZero<F> {
    const FROM: usize = size_of::<F>();
    const TO: usize = 2 * size_of::<F>();

    #[inline]
    fn at(_: Level) -> Converter {
        |source, target| convert_bytes(source, target, |real: F| [real, F::zeroed()])
    }
}

#[cfg(test)]
mod tests {
    use crate::convert::cann::converter_on_at;
    use crate::convert::levels::compare;
    use crate::product::Product;

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        compare(|level, from, to| converter_on_at(level, Product::Ascend950, from, to));
    }
}
