//! Loops that are compiled for several levels, and the conversions for which some levels have instructions.

use half::{bf16, f16};

use crate::convert::small::{FloatEncoder, FloatFormat};
use crate::convert::values::{Common, Values};
use crate::convert::{convert_bytes, round};

/// The levels above the plain one that are worth the code of a loop.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "other targets have one level"))]
pub(crate) enum Levels {
    Avx2,
    Avx512,
    Both,
    /// Both, and AVX-512 with the conversions of bf16.
    All,
}

#[cfg(target_arch = "x86_64")]
impl Levels {
    #[inline]
    pub(super) const fn has_avx2(self) -> bool {
        matches!(self, Levels::Avx2 | Levels::Both | Levels::All)
    }

    #[inline]
    pub(super) const fn has_avx512(self) -> bool {
        matches!(self, Levels::Avx512 | Levels::Both | Levels::All)
    }

    #[inline]
    pub(super) const fn has_bf16(self) -> bool {
        matches!(self, Levels::All)
    }
}

/// A conversion of elements, whose code is compiled for several levels.
pub(crate) trait Loop {
    /// The levels, beside the plain one, for which the code is compiled.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "other machines have the plain level alone")
    )]
    const LEVELS: Levels;

    /// The settings that the conversion needs at run time.
    type Settings;

    /// Converts as a [`Converter`] does. Always inlined, since a function is compiled for the level of the function
    /// that it is inlined into.
    fn run(halves: impl Halves, settings: &Self::Settings, source: &[u8], target: &mut [u8]);
}

/// The conversions for which some levels have instructions: of f16, bf16, i64 and the floats of up to eight bits; and ranges of
/// f16, which are rounded as they are made.
pub(crate) trait Halves: Copy {
    /// Converts f16 to f32, as a [`Converter`] does.
    fn widen(self, source: &[u8], target: &mut [u8]);

    /// Converts f32 to f16, as a [`Converter`] does.
    fn narrow(self, source: &[u8], target: &mut [u8]);

    /// Writes `base + step · index`, rounded to f16, from an index on; all indices are f32. Returns how many numbers it wrote:
    /// as many as it has vectors for.
    #[inline(always)]
    fn ramp(self, [_base, _step]: [f32; 2], _first: usize, _target: &mut [u8]) -> usize {
        0
    }

    /// Converts bf16 to f32, as a [`Converter`] does.
    #[inline(always)]
    fn widen_bf16(self, source: &[u8], target: &mut [u8]) {
        convert_bytes(source, target, |value: bf16| round::f32_from_bf16(value));
    }

    /// Converts f32 to bf16, as a [`Converter`] does.
    #[inline(always)]
    fn narrow_to_bf16(self, source: &[u8], target: &mut [u8]) {
        convert_bytes(source, target, |value: f32| round::bf16_from_f32(value));
    }

    /// Converts f32 to bf16, as a [`Converter`] does. No element is a NaN or subnormal.
    #[inline(always)]
    fn narrow_normal(self, source: &[u8], target: &mut [u8]) {
        convert_bytes(source, target, |value: f32| round::bf16_from_number(value));
    }

    /// Converts i64 to f32, as a [`Converter`] does.
    #[inline(always)]
    fn round_i64(self, source: &[u8], target: &mut [u8]) {
        convert_bytes(source, target, |value: i64| value as f32);
    }

    /// Converts codes of a byte to f32, as a [`Converter`] does.
    #[inline(always)]
    fn look_up(self, values: &Values, source: &[u8], target: &mut [u8]) {
        // Tables are not looked up in vectors.
        match values.common {
            Some(Common::F8E4M3FN) => {
                convert_bytes(source, target, |code| FloatFormat::F8E4M3FN.decode(code))
            }
            Some(Common::F8E5M2) => convert_bytes(source, target, |code| FloatFormat::F8E5M2.decode(code)),
            None => convert_bytes(source, target, |code| values.get(code)),
        }
    }

    /// Converts f32 to codes of a byte, as a [`Converter`] does.
    #[inline(always)]
    fn encode(self, encoder: &FloatEncoder, source: &[u8], target: &mut [u8]) {
        let encoder = *encoder;
        convert_bytes(source, target, |value: f32| encoder.encode(value));
    }
}

/// The conversions of the plain level.
#[derive(Clone, Copy)]
pub(super) struct PlainHalves;

impl Halves for PlainHalves {
    #[inline(always)]
    fn widen(self, source: &[u8], target: &mut [u8]) {
        convert_bytes(source, target, |value: f16| round::f32_from_f16(value));
    }

    #[inline(always)]
    fn narrow(self, source: &[u8], target: &mut [u8]) {
        convert_bytes(source, target, |value: f32| round::f16_from_f32(value));
    }
}
