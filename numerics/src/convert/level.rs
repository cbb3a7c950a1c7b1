//! The instruction sets for which loops are compiled, and the choice of one at run time.
//!
//! | level | machines |
//! |---|---|
//! | plain | all: SSE2 on x86-64, NEON on aarch64 |
//! | AVX2 | x86-64 with AVX2 and F16C |
//!
//! The level changes how fast a loop runs and no bit of its result. This module has the only unsafe code of the crate.

#![allow(
    unsafe_code,
    reason = "code that needs more than the baseline instructions is called after their detection"
)]

use half::f16;

use super::{Converter, convert_bytes, round};

/// A set of instructions that this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Level {
    /// The instructions that every machine of the target has.
    pub(crate) const PLAIN: Level = Level(Set::Plain);

    /// Returns the fastest level of this machine.
    pub(crate) fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c") {
            return Level(Set::Avx2);
        }
        Level::PLAIN
    }

    /// Returns a loop as compiled for this level.
    pub(crate) fn converter<L: Loop>(self) -> Converter {
        let plain: Converter = |source, target| L::run(PlainHalves, source, target);
        if !L::LEVELS {
            return plain;
        }
        match self.0 {
            Set::Plain => plain,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => x86::avx2::<L>,
        }
    }
}

/// A conversion of elements, whose code is compiled for each level.
pub(crate) trait Loop {
    /// Whether levels above the plain one are worth their code.
    const LEVELS: bool;

    /// Converts as a [`Converter`] does. Always inlined, since a function is compiled for the level of the function
    /// that it is inlined into.
    fn run(halves: impl Halves, source: &[u8], target: &mut [u8]);
}

/// The conversions between f16 and f32, for which some levels have instructions.
pub(crate) trait Halves: Copy {
    /// Converts f16 to f32, as a [`Converter`] does.
    fn widen(self, source: &[u8], target: &mut [u8]);

    /// Converts f32 to f16, as a [`Converter`] does.
    fn narrow(self, source: &[u8], target: &mut [u8]);
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

/// Truncates, saturating; NaN gives 0. This is `value as i32`, whose loops vectorise.
#[inline(always)]
pub(crate) fn i32_from_f32(value: f32) -> i32 {
    let fits = value.abs() < 2147483648.0;
    // SAFETY: the value is finite, and what is left of it is less than 2³¹ in magnitude.
    let whole = unsafe { (if fits { value } else { 0.0 }).to_int_unchecked::<i32>() };
    let beyond = if value > 0.0 { i32::MAX } else { i32::MIN };
    let beyond = if value.is_nan() { 0 } else { beyond };
    if fits { whole } else { beyond }
}

/// Truncates, saturating; NaN gives 0. This is `value as i32`, whose loops vectorise.
#[inline(always)]
pub(crate) fn i32_from_f64(value: f64) -> i32 {
    let fits = value.abs() < 2147483648.0;
    // SAFETY: the value is finite, and what is left of it is less than 2³¹ in magnitude.
    let whole = unsafe { (if fits { value } else { 0.0 }).to_int_unchecked::<i32>() };
    let beyond = if value > 0.0 { i32::MAX } else { i32::MIN };
    let beyond = if value.is_nan() { 0 } else { beyond };
    if fits { whole } else { beyond }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m128i, __m256, _MM_FROUND_TO_NEAREST_INT, _mm256_cvtph_ps, _mm256_cvtps_ph};

    use bytemuck::{bytes_of, pod_read_unaligned};

    use super::{Halves, Loop, PlainHalves};

    /// Runs a loop with AVX2 and F16C. Only [`Level::converter`](super::Level::converter) names this function, for a
    /// level that [`Level::best`](super::Level::best) found on this machine.
    pub(super) fn avx2<L: Loop>(source: &[u8], target: &mut [u8]) {
        #[target_feature(enable = "avx2,f16c")]
        fn run<L: Loop>(source: &[u8], target: &mut [u8]) {
            L::run(F16c(()), source, target);
        }
        // SAFETY: a level of AVX2 exists only where both sets of instructions were detected.
        unsafe { run::<L>(source, target) }
    }

    /// Exists only where [`avx2`] runs.
    #[derive(Clone, Copy)]
    struct F16c(());

    impl Halves for F16c {
        #[inline(always)]
        fn widen(self, source: &[u8], target: &mut [u8]) {
            // SAFETY: `self` exists only where F16C does.
            unsafe { widen(source, target) }
        }

        #[inline(always)]
        fn narrow(self, source: &[u8], target: &mut [u8]) {
            // SAFETY: `self` exists only where F16C does.
            unsafe { narrow(source, target) }
        }
    }

    #[target_feature(enable = "avx,f16c")]
    #[inline]
    fn widen(source: &[u8], target: &mut [u8]) {
        let halves = source.chunks_exact(size_of::<__m128i>());
        let singles = target.chunks_exact_mut(size_of::<__m256>());
        let done = halves.len().min(singles.len());
        for (from, to) in halves.zip(singles) {
            let converted = _mm256_cvtph_ps(pod_read_unaligned(from));
            to.copy_from_slice(bytes_of(&converted));
        }
        let rest = (source.get(done * size_of::<__m128i>()..), target.get_mut(done * size_of::<__m256>()..));
        if let (Some(source), Some(target)) = rest {
            PlainHalves.widen(source, target);
        }
    }

    #[target_feature(enable = "avx,f16c")]
    #[inline]
    fn narrow(source: &[u8], target: &mut [u8]) {
        let singles = source.chunks_exact(size_of::<__m256>());
        let halves = target.chunks_exact_mut(size_of::<__m128i>());
        let done = singles.len().min(halves.len());
        for (from, to) in singles.zip(halves) {
            let converted = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(pod_read_unaligned(from));
            to.copy_from_slice(bytes_of(&converted));
        }
        let rest = (source.get(done * size_of::<__m256>()..), target.get_mut(done * size_of::<__m128i>()..));
        if let (Some(source), Some(target)) = rest {
            PlainHalves.narrow(source, target);
        }
    }
}
