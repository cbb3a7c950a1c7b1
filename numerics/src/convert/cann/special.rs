//! The types of the Ascend 950 that Cast converts in some pairs only: floats of up to eight bits, and i4.
//!
//! Elements narrower than a byte take one byte each here. The floats are converted to and from f32, by way of which
//! they are converted to and from the others.

use std::marker::PhantomData;

use half::{bf16, f16};

use super::loops::Pair;
use super::pairs::has_cast;
use crate::convert::float8::{Decode, Encode, EncodeHiF8};
use crate::convert::level::{AnyLevel, Level};
use crate::convert::pack::Width;
use crate::convert::small::{Beyond, FloatEncoder, FloatFormat};
use crate::convert::step::{Chain, Step};
use crate::convert::values::Values;
use crate::convert::{Converter, copy_bytes};
use crate::dtype::DType;

/// A float that is converted to and from f32.
trait Float {
    type FromF32: Step;
    type ToF32: Step;
}

macro_rules! wide {
    ($($type:ty)*) => {$(
        impl Float for $type {
            type FromF32 = Pair<f32, $type>;
            type ToF32 = Pair<$type, f32>;
        }
    )*};
}

wide!(f32 f16 bf16);

/// A format, whose too large values become infinite; NaN where there is no ∞; the largest value where there is neither.
trait Code {
    const VALUES: Option<&'static Values>;
    /// `None` for HiF8.
    const ENCODER: Option<FloatEncoder>;
}

macro_rules! codes {
    ($($type:ident: $from_f32:ty;)*) => {$(
        struct $type;

        impl Code for $type {
            const VALUES: Option<&'static Values> = Values::of(DType::$type);
            const ENCODER: Option<FloatEncoder> = match FloatFormat::of(DType::$type) {
                Some(format) => format.encoder(Beyond::Special, Beyond::Special),
                None => None,
            };
        }

        impl Float for $type {
            type FromF32 = $from_f32;
            type ToF32 = Decoded<$type>;
        }
    )*};
}

codes! {
    HiF8: Encoded<Self>;
    F8E5M2: Encoded<Self>;
    F8E4M3FN: Encoded<Self>;
    F4E2M1: Chain<ThroughBf16, Encoded<Self>>;
    F4E1M2: Chain<ThroughBf16, Encoded<Self>>;
}

type ThroughBf16 = Chain<Pair<f32, bf16>, Pair<bf16, f32>>;

struct Decoded<C>(PhantomData<C>);

impl<C: Code> Step for Decoded<C> {
    const FROM: usize = 1;
    const TO: usize = size_of::<f32>();

    #[inline]
    fn at(level: Level) -> Converter {
        level.bound::<Self>()
    }
}

impl<C: Code> AnyLevel for Decoded<C> {
    #[inline(always)]
    fn run(level: Level, source: &[u8], target: &mut [u8]) {
        if let Some(values) = C::VALUES {
            level.compiled::<Decode>()(values, source, target);
        }
    }
}

struct Encoded<C>(PhantomData<C>);

impl<C: Code> Step for Encoded<C> {
    const FROM: usize = size_of::<f32>();
    const TO: usize = 1;

    #[inline]
    fn at(level: Level) -> Converter {
        match C::ENCODER {
            Some(_) => level.bound::<Self>(),
            None => level.converter::<EncodeHiF8>(),
        }
    }
}

impl<C: Code> AnyLevel for Encoded<C> {
    #[inline(always)]
    fn run(level: Level, source: &[u8], target: &mut [u8]) {
        if let Some(encoder) = const { &C::ENCODER } {
            level.compiled::<Encode>()(encoder, source, target);
        }
    }
}

/// The low four bits of i32.
struct LowBits;

impl AnyLevel for LowBits {
    #[inline(always)]
    fn run(level: Level, source: &[u8], target: &mut [u8]) {
        let count = (source.len() / size_of::<i32>()).min(target.len());
        Pair::<i32, u8>::at(level)(source, target);
        target.iter_mut().take(count).for_each(|code| *code &= Width::Bits4.mask());
    }
}

/// Returns the conversion between two types of which one is special; `None` where Cast has none.
#[inline]
pub(super) fn converter(level: Level, from: DType, to: DType) -> Option<Converter> {
    macro_rules! with_type {
        ($dtype:expr, $type:ident => $body:expr) => {
            with_type!(@ $dtype, $type, $body; F16 f16, BF16 bf16, HiF8 HiF8, F8E5M2 F8E5M2, F8E4M3FN F8E4M3FN,
                F4E2M1 F4E2M1, F4E1M2 F4E1M2)
        };
        (@ $dtype:expr, $type:ident, $body:expr; $($variant:ident $raw:ty),*) => {
            match $dtype {
                $(DType::$variant => {
                    type $type = $raw;
                    $body
                })*
                _ => None,
            }
        };
    }
    if !has_cast(from, to) {
        return None;
    }
    match (from, to) {
        _ if from == to => Width::of(from).map(|_| copy_bytes::<u8> as Converter),
        (_, DType::I4) => Some(level.bound::<LowBits>()),
        (DType::F32, _) => with_type!(to, B => Some(<B as Float>::FromF32::at(level))),
        (_, DType::F32) => with_type!(from, A => Some(<A as Float>::ToF32::at(level))),
        _ => with_type!(from, A => with_type!(to, B => {
            Some(Chain::<<A as Float>::ToF32, <B as Float>::FromF32>::at(level))
        })),
    }
}
