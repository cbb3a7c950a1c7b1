//! The types of the Ascend 950 that Cast converts in some pairs only: floats of up to eight bits, and i4.
//!
//! Elements narrower than a byte take one byte each here.

use half::{bf16, f16};

use super::loops::Pair;
use super::pairs::has_cast;
use super::rules::{Source, Target, source};
use crate::convert::level::Level;
use crate::convert::pack::Width;
use crate::convert::small::{Beyond, FloatEncoder, FloatFormat};
use crate::convert::{Converter, convert_bytes, copy_bytes, hif8, round};
use crate::dtype::DType;

/// Returns an encoder that makes too large values infinite; NaN in a format without ∞; the largest value in a format
/// without either.
const fn encoder(format: FloatFormat) -> FloatEncoder {
    format.nearest(Beyond::Special, Beyond::Special)
}

macro_rules! floats {
    ($($type:ident: $from:ident => $decoded:expr, $value:ident => $code:expr;)*) => {$(
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(transparent)]
        struct $type(u8);

        source! { $type as f32, self => {
            let $from = self.0;
            $decoded
        }; }

        impl Target for $type {
            #[inline(always)]
            fn of($value: impl Source) -> Self {
                $type($code)
            }
        }
    )*};
}

floats! {
    HiF8: code => hif8::decode(code), value => hif8::encode(value.to_f32());
    F8E5M2: code => FloatFormat::F8E5M2.decode(code), value => const { encoder(FloatFormat::F8E5M2) }.encode(value.to_f32());
    F8E4M3FN: code => FloatFormat::F8E4M3FN.decode(code), value => const { encoder(FloatFormat::F8E4M3FN) }.encode(value.to_f32());
    // Through bf16.
    F4E2M1: code => FloatFormat::F4E2M1.decode(code), value => const { encoder(FloatFormat::F4E2M1) }.encode(through_bf16(value));
    F4E1M2: code => FloatFormat::F4E1M2.decode(code), value => const { encoder(FloatFormat::F4E1M2) }.encode(through_bf16(value));
}

#[inline(always)]
fn through_bf16(value: impl Source) -> f32 {
    round::f32_from_bf16(value.to_bf16())
}

/// Returns the conversion between two types of which one is special; `None` where Cast has none.
pub(super) fn converter(level: Level, from: DType, to: DType) -> Option<Converter> {
    macro_rules! with_type {
        ($dtype:expr, $type:ident => $body:expr) => {
            with_type!(@ $dtype, $type, $body; F32 f32, F16 f16, BF16 bf16, HiF8 HiF8, F8E5M2 F8E5M2,
                F8E4M3FN F8E4M3FN, F4E2M1 F4E2M1, F4E1M2 F4E1M2)
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
    if from == to {
        return Width::of(from).map(|_| copy_bytes::<u8> as Converter);
    }
    if to == DType::I4 {
        return Some(|source, target| {
            convert_bytes(source, target, |value: i32| value as u8 & Width::Bits4.mask());
        });
    }
    with_type!(from, A => with_type!(to, B => Some(level.converter::<Pair<A, B>>())))
}
