//! The instruction sets for which loops are compiled, and the choice of one at run time.
//!
//! | level | machines |
//! |---|---|
//! | plain | all: SSE2 on x86-64, NEON on aarch64 |
//! | AVX2 | x86-64 with AVX2 and F16C |
//! | AVX-512 | x86-64 with the foundation, BW, DQ, VL and VBMI: Ice Lake, Zen 4 and later ones, which do not slow down |
//!
//! The level changes how fast a loop runs and no bit of its result. This module has the only unsafe code of the crate.

#![allow(
    unsafe_code,
    reason = "code that needs more than the baseline instructions is called after their detection"
)]

use half::f16;

use super::small::FloatFormat;
use super::values::{Common, Values};
use super::{Converter, convert_bytes, round};

/// A set of instructions that this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The instructions that every machine of the target has.
    pub(crate) const PLAIN: Level = Level(Set::Plain);

    /// Returns the levels of this machine, the fastest one first.
    pub(crate) fn all() -> impl Iterator<Item = Level> {
        let sets = [
            #[cfg(target_arch = "x86_64")]
            (Set::Avx512, x86::has_avx512()),
            #[cfg(target_arch = "x86_64")]
            (Set::Avx2, x86::has_avx2()),
            (Set::Plain, true),
        ];
        sets.into_iter().filter_map(|(set, is_here)| is_here.then_some(Level(set)))
    }

    /// Returns the fastest level of this machine.
    pub(crate) fn best() -> Level {
        Level::all().next().unwrap_or(Level::PLAIN)
    }

    /// Returns a loop without settings as compiled for this level.
    pub(crate) fn converter<L: Loop<Settings = ()>>(self) -> Converter {
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_avx512() } && self.0 == Set::Avx512 {
            return |source, target| x86::avx512::<L>(&(), source, target);
        }
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_avx2() } && self.0 != Set::Plain {
            return |source, target| x86::avx2::<L>(&(), source, target);
        }
        |source, target| plain::<L>(&(), source, target)
    }

    /// Returns a loop as compiled for this level.
    pub(crate) fn compiled<L: Loop>(self) -> fn(&L::Settings, &[u8], &mut [u8]) {
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_avx512() } && self.0 == Set::Avx512 {
            return x86::avx512::<L>;
        }
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_avx2() } && self.0 != Set::Plain {
            return x86::avx2::<L>;
        }
        plain::<L>
    }

    /// Returns a conversion that takes its loops from this level.
    pub(crate) fn bound<C: AnyLevel>(self) -> Converter {
        match self.0 {
            Set::Plain => |source, target| C::run(Level(Set::Plain), source, target),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => |source, target| C::run(Level(Set::Avx2), source, target),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => |source, target| C::run(Level(Set::Avx512), source, target),
        }
    }
}

/// A conversion that chooses its loops by a level.
pub(crate) trait AnyLevel {
    /// Converts as a [`Converter`] does.
    fn run(level: Level, source: &[u8], target: &mut [u8]);
}

/// The levels above the plain one that are worth the code of a loop.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "other targets have one level"))]
pub(crate) enum Levels {
    Avx2,
    Avx512,
    Both,
}

#[cfg(target_arch = "x86_64")]
impl Levels {
    const fn has_avx2(self) -> bool {
        matches!(self, Levels::Avx2 | Levels::Both)
    }

    const fn has_avx512(self) -> bool {
        matches!(self, Levels::Avx512 | Levels::Both)
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

    /// What the conversion needs to know at run time.
    type Settings;

    /// Converts as a [`Converter`] does. Always inlined, since a function is compiled for the level of the function
    /// that it is inlined into.
    fn run(halves: impl Halves, settings: &Self::Settings, source: &[u8], target: &mut [u8]);
}

fn plain<L: Loop>(settings: &L::Settings, source: &[u8], target: &mut [u8]) {
    L::run(PlainHalves, settings, source, target);
}

/// The conversions between f16 and f32, for which some levels have instructions.
pub(crate) trait Halves: Copy {
    /// Converts f16 to f32, as a [`Converter`] does.
    fn widen(self, source: &[u8], target: &mut [u8]);

    /// Converts f32 to f16, as a [`Converter`] does.
    fn narrow(self, source: &[u8], target: &mut [u8]);

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
}

#[derive(Clone, Copy)]
struct PlainHalves;

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

macro_rules! truncations {
    ($($name:ident: $float:ty => $integer:ty, from $least:literal to $beyond:literal;)*) => {$(
        /// Truncates, saturating; NaN gives 0. This is the operator `as`, whose loops do not vectorise.
        #[inline(always)]
        pub(crate) fn $name(value: $float) -> $integer {
            // What is at or below `$least` saturates to the least integer or is truncated to it.
            let fits = value > $least && value < $beyond;
            // SAFETY: the value, without its fraction, is an integer of the type.
            let whole = unsafe { (if fits { value } else { 0.0 }).to_int_unchecked::<$integer>() };
            let saturated = if value > 0.0 { <$integer>::MAX } else { <$integer>::MIN };
            let saturated = if value.is_nan() { 0 } else { saturated };
            if fits { whole } else { saturated }
        }
    )*};
}

truncations! {
    i32_from_f32: f32 => i32, from -2147483648.0 to 2147483648.0;
    i32_from_f64: f64 => i32, from -2147483648.0 to 2147483648.0;
    i64_from_f32: f32 => i64, from -9223372036854775808.0 to 9223372036854775808.0;
    i64_from_f64: f64 => i64, from -9223372036854775808.0 to 9223372036854775808.0;
    u32_from_f32: f32 => u32, from -1.0 to 4294967296.0;
    u32_from_f64: f64 => u32, from -1.0 to 4294967296.0;
    u64_from_f32: f32 => u64, from -1.0 to 18446744073709551616.0;
    u64_from_f64: f64 => u64, from -1.0 to 18446744073709551616.0;
}

macro_rules! low_bits {
    ($($name:ident: $float:ty, $ones:literal;)*) => {$(
        /// Truncates to i32, saturating, of which only the low 16 bits are right; NaN gives 0. From `
        #[doc = stringify!($ones)]
        /// ` on, all of them are ones.
        #[inline(always)]
        pub(crate) fn $name(value: $float) -> i32 {
            let fits = value > -2147483648.0 && value < 2147483648.0;
            // SAFETY: the value, without its fraction, is an i32.
            let whole = unsafe { (if fits { value } else { 0.0 }).to_int_unchecked::<i32>() };
            let beyond = if value >= $ones { -1 } else { 0 };
            if fits { whole } else { beyond }
        }
    )*};
}

low_bits! {
    low_bits_of_f32: f32, 2147483648.0;
    low_bits_of_f64: f64, 2147483648.0;
    // By way of i64: what lies between i32 and i64 is a multiple of 2⁸.
    low_byte_of_f32: f32, 9223372036854775808.0;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, __m256, __m256i, __m512, __m512i, _MM_FROUND_TO_NEAREST_INT, _mm256_cvtph_ps,
        _mm256_cvtps_ph, _mm512_add_epi8, _mm512_cvtph_ps, _mm512_cvtps_ph, _mm512_mask_blend_epi8,
        _mm512_maskz_permutex2var_epi8, _mm512_movepi8_mask, _mm512_permutex2var_epi8, _mm512_set1_epi8,
    };

    use bytemuck::{bytes_of, pod_read_unaligned};

    use super::{Halves, Loop, PlainHalves, Values, convert_bytes};

    pub(super) fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c")
    }

    pub(super) fn has_avx512() -> bool {
        has_avx2()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
    }

    // Only methods of `Level` name the two functions that follow, for a level that `Level::all` found on this machine.

    /// Runs a loop with what [`has_avx2`] detects.
    pub(super) fn avx2<L: Loop>(settings: &L::Settings, source: &[u8], target: &mut [u8]) {
        #[target_feature(enable = "avx2,f16c")]
        fn run<L: Loop>(settings: &L::Settings, source: &[u8], target: &mut [u8]) {
            L::run(F16c(()), settings, source, target);
        }
        // SAFETY: this level exists only where its instructions were detected.
        unsafe { run::<L>(settings, source, target) }
    }

    /// Runs a loop with what [`has_avx512`] detects.
    pub(super) fn avx512<L: Loop>(settings: &L::Settings, source: &[u8], target: &mut [u8]) {
        #[target_feature(enable = "avx2,f16c,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
        fn run<L: Loop>(settings: &L::Settings, source: &[u8], target: &mut [u8]) {
            L::run(Avx512(()), settings, source, target);
        }
        // SAFETY: this level exists only where its instructions were detected.
        unsafe { run::<L>(settings, source, target) }
    }

    /// Exists only where [`avx2`] runs.
    #[derive(Clone, Copy)]
    struct F16c(());

    /// Exists only where [`avx512`] runs.
    #[derive(Clone, Copy)]
    struct Avx512(());

    impl Halves for F16c {
        #[inline(always)]
        fn widen(self, source: &[u8], target: &mut [u8]) {
            // SAFETY: `self` exists only where F16C does.
            unsafe { f16c::widen(source, target) }
        }

        #[inline(always)]
        fn narrow(self, source: &[u8], target: &mut [u8]) {
            // SAFETY: `self` exists only where F16C does.
            unsafe { f16c::narrow(source, target) }
        }
    }

    impl Halves for Avx512 {
        #[inline(always)]
        fn widen(self, source: &[u8], target: &mut [u8]) {
            // SAFETY: `self` exists only where AVX-512 does.
            unsafe { avx512f::widen(source, target) }
        }

        #[inline(always)]
        fn narrow(self, source: &[u8], target: &mut [u8]) {
            // SAFETY: `self` exists only where AVX-512 does.
            unsafe { avx512f::narrow(source, target) }
        }

        #[inline(always)]
        fn look_up(self, values: &Values, source: &[u8], target: &mut [u8]) {
            // SAFETY: `self` exists only where these instructions do.
            unsafe { look_up(values, source, target) }
        }
    }

    /// The conversions between vectors of f16 and f32 by the instructions of a level.
    macro_rules! halves {
        ($module:ident: $features:literal, $short:ty, $wide:ty, $widen:ident, $narrow:ident) => {
            mod $module {
                use super::*;

                #[target_feature(enable = $features)]
                #[inline]
                pub(super) fn widen(source: &[u8], target: &mut [u8]) {
                    let halves = source.chunks_exact(size_of::<$short>());
                    let singles = target.chunks_exact_mut(size_of::<$wide>());
                    let done = halves.len().min(singles.len());
                    for (from, to) in halves.zip(singles) {
                        let converted = $widen(pod_read_unaligned(from));
                        to.copy_from_slice(bytes_of(&converted));
                    }
                    let rest = (
                        source.get(done * size_of::<$short>()..),
                        target.get_mut(done * size_of::<$wide>()..),
                    );
                    if let (Some(source), Some(target)) = rest {
                        PlainHalves.widen(source, target);
                    }
                }

                #[target_feature(enable = $features)]
                #[inline]
                pub(super) fn narrow(source: &[u8], target: &mut [u8]) {
                    let singles = source.chunks_exact(size_of::<$wide>());
                    let halves = target.chunks_exact_mut(size_of::<$short>());
                    let done = singles.len().min(halves.len());
                    for (from, to) in singles.zip(halves) {
                        let converted = $narrow::<_MM_FROUND_TO_NEAREST_INT>(pod_read_unaligned(from));
                        to.copy_from_slice(bytes_of(&converted));
                    }
                    let rest = (
                        source.get(done * size_of::<$wide>()..),
                        target.get_mut(done * size_of::<$short>()..),
                    );
                    if let (Some(source), Some(target)) = rest {
                        PlainHalves.narrow(source, target);
                    }
                }
            }
        };
    }

    halves!(f16c: "avx,f16c", __m128i, __m256, _mm256_cvtph_ps, _mm256_cvtps_ph);
    halves!(avx512f: "avx512f", __m256i, __m512, _mm512_cvtph_ps, _mm512_cvtps_ph);

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    #[inline]
    fn look_up(values: &Values, source: &[u8], target: &mut [u8]) {
        fn quarters(table: &[u8; 256]) -> [__m512i; 4] {
            bytemuck::cast(*table)
        }
        let (lower, upper) = (quarters(&values.lower), quarters(&values.upper));
        // For each of 16 results: two zero bytes, one byte of the lower ones, one of the upper ones.
        let first: [u8; 64] = std::array::from_fn(|i| (i / 4 + 64 * (i % 2)) as u8);
        let mut order: [__m512i; 4] = [bytemuck::cast(first); 4];
        let step = _mm512_set1_epi8(16);
        for i in 1..4 {
            order[i] = _mm512_add_epi8(order[i - 1], step);
        }
        let codes = source.chunks_exact(64);
        let results = target.chunks_exact_mut(256);
        let done = codes.len().min(results.len());
        for (codes, results) in codes.zip(results) {
            let codes: __m512i = pod_read_unaligned(codes);
            // An index into 128 bytes has seven bits; the eighth chooses the half of the table.
            let is_high = _mm512_movepi8_mask(codes);
            let find = |table: [__m512i; 4]| {
                let low = _mm512_permutex2var_epi8(table[0], codes, table[1]);
                let high = _mm512_permutex2var_epi8(table[2], codes, table[3]);
                _mm512_mask_blend_epi8(is_high, low, high)
            };
            let (lower, upper) = (find(lower), find(upper));
            for (order, result) in order.into_iter().zip(results.chunks_exact_mut(64)) {
                let bytes = _mm512_maskz_permutex2var_epi8(0xCCCC_CCCC_CCCC_CCCC, lower, order, upper);
                result.copy_from_slice(bytes_of(&bytes));
            }
        }
        let rest = (source.get(done * 64..), target.get_mut(done * 256..));
        if let (Some(source), Some(target)) = rest {
            convert_bytes(source, target, |code| values.get(code));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sign, exponent and upper bits of a fraction, with the bits below all zero and all one, against `as`.
    #[test]
    fn truncations_are_those_of_the_operator_as() {
        for upper in 0..=u16::MAX {
            for lower in [0, 1, u64::MAX >> 17, u64::MAX >> 16] {
                let bits = u64::from(upper) << 48 | lower;
                let (single, double) =
                    (f32::from_bits((bits >> 32) as u32 | lower as u32 & 1), f64::from_bits(bits));
                assert_eq!(i32_from_f32(single), single as i32, "{single}");
                assert_eq!(i64_from_f32(single), single as i64, "{single}");
                assert_eq!(u32_from_f32(single), single as u32, "{single}");
                assert_eq!(u64_from_f32(single), single as u64, "{single}");
                assert_eq!(i32_from_f64(double), double as i32, "{double}");
                assert_eq!(i64_from_f64(double), double as i64, "{double}");
                assert_eq!(u32_from_f64(double), double as u32, "{double}");
                assert_eq!(u64_from_f64(double), double as u64, "{double}");
                assert_eq!(low_bits_of_f32(single) as u16, single as i32 as u16, "{single}");
                assert_eq!(low_bits_of_f64(double) as u16, double as i32 as u16, "{double}");
                assert_eq!(low_byte_of_f32(single) as u8, single as i64 as u8, "{single}");
            }
        }
    }
}
