//! The instruction sets for which loops are compiled, and the choice of one at run time.
//!
//! | level | machines |
//! |---|---|
//! | plain | all: SSE2 on x86-64, NEON on aarch64 |
//! | AVX2 | x86-64 with AVX2 and F16C |
//! | AVX-512 | x86-64 with the foundation, BW, DQ, VL and VBMI: Ice Lake, Zen 4 and later ones, which do not slow down |
//! | BF16 | x86-64 with AVX-512 and its conversions of bf16: Sapphire Rapids, Zen 4 and later ones |
//!
//! The level changes how fast a loop runs and no bit of its result. This module has the only unsafe code of the crate.

#![allow(
    unsafe_code,
    reason = "code that needs more than the baseline instructions is called after their detection"
)]

mod loops;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::Converter;
use loops::PlainHalves;

pub(crate) use loops::{Halves, Levels, Loop};

/// A set of instructions that this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level(Set);

/// Each has what those before it have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Bf16,
}

impl Level {
    /// The instructions that every machine of the target has.
    pub(crate) const PLAIN: Level = Level(Set::Plain);

    /// Returns the levels of this machine, the fastest one first.
    #[inline]
    pub(crate) fn all() -> impl Iterator<Item = Level> {
        let sets = [
            #[cfg(target_arch = "x86_64")]
            (Set::Bf16, x86::has_bf16()),
            #[cfg(target_arch = "x86_64")]
            (Set::Avx512, x86::has_avx512()),
            #[cfg(target_arch = "x86_64")]
            (Set::Avx2, x86::has_avx2()),
            (Set::Plain, true),
        ];
        sets.into_iter().filter_map(|(set, is_here)| is_here.then_some(Level(set)))
    }

    /// Returns the fastest level of this machine.
    #[inline]
    pub(crate) fn best() -> Level {
        Level::all().next().unwrap_or(Level::PLAIN)
    }

    /// Returns a loop without settings as compiled for this level.
    pub(crate) fn converter<L: Loop<Settings = ()>>(self) -> Converter {
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_bf16() } && self.0 >= Set::Bf16 {
            return |source, target| x86::bf16::<L>(&(), source, target);
        }
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_avx512() } && self.0 >= Set::Avx512 {
            return |source, target| x86::avx512::<L>(&(), source, target);
        }
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_avx2() } && self.0 >= Set::Avx2 {
            return |source, target| x86::avx2::<L>(&(), source, target);
        }
        |source, target| plain::<L>(&(), source, target)
    }

    /// Returns a loop as compiled for this level.
    pub(crate) fn compiled<L: Loop>(self) -> fn(&L::Settings, &[u8], &mut [u8]) {
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_bf16() } && self.0 >= Set::Bf16 {
            return x86::bf16::<L>;
        }
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_avx512() } && self.0 >= Set::Avx512 {
            return x86::avx512::<L>;
        }
        #[cfg(target_arch = "x86_64")]
        if const { L::LEVELS.has_avx2() } && self.0 >= Set::Avx2 {
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
            #[cfg(target_arch = "x86_64")]
            Set::Bf16 => |source, target| C::run(Level(Set::Bf16), source, target),
        }
    }
}

/// A conversion that chooses its loops by a level.
pub(crate) trait AnyLevel {
    /// Converts as a [`Converter`] does.
    fn run(level: Level, source: &[u8], target: &mut [u8]);
}

fn plain<L: Loop>(settings: &L::Settings, source: &[u8], target: &mut [u8]) {
    L::run(PlainHalves, settings, source, target);
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
