//! The levels of x86-64: loops over the instructions that the compiler does not choose itself.

use std::arch::x86_64::*;
use std::array::from_fn;
use std::mem;

use bytemuck::{bytes_of, pod_read_unaligned};

use super::loops::{Halves, Loop, PlainHalves};
use crate::convert::convert_bytes;
use crate::convert::small::{ByWayOfF16, FloatEncoder};
use crate::convert::values::Values;

#[inline]
pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c")
}

#[inline]
pub(super) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
}

#[inline]
pub(super) fn has_bf16() -> bool {
    has_avx512() && is_x86_feature_detected!("avx512bf16")
}

// Only methods of `Level` name the three functions that follow, for a level that `Level::all` found on this machine.

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

/// Runs a loop with what [`has_bf16`] detects.
pub(super) fn bf16<L: Loop>(settings: &L::Settings, source: &[u8], target: &mut [u8]) {
    #[target_feature(enable = "avx2,f16c,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512bf16")]
    fn run<L: Loop>(settings: &L::Settings, source: &[u8], target: &mut [u8]) {
        L::run(Bf16(Avx512(())), settings, source, target);
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

/// Exists only where [`bf16`] runs.
#[derive(Clone, Copy)]
struct Bf16(Avx512);

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

    #[inline(always)]
    fn ramp(self, terms: [f32; 2], first: usize, target: &mut [u8]) -> usize {
        // SAFETY: `self` exists only where F16C does.
        unsafe { f16c::ramp(terms, first, target) }
    }

    #[inline(always)]
    fn widen_bf16(self, source: &[u8], target: &mut [u8]) {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { widen_bf16(source, target) }
    }

    #[inline(always)]
    fn narrow_to_bf16(self, source: &[u8], target: &mut [u8]) {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { narrow_to_bf16_by_shifts(source, target) }
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
    fn ramp(self, terms: [f32; 2], first: usize, target: &mut [u8]) -> usize {
        // SAFETY: `self` exists only where AVX-512 does.
        unsafe { avx512f::ramp(terms, first, target) }
    }

    #[inline(always)]
    fn round_i64(self, source: &[u8], target: &mut [u8]) {
        // SAFETY: `self` exists only where these instructions do.
        unsafe { round_i64(source, target) }
    }

    #[inline(always)]
    fn look_up(self, values: &Values, source: &[u8], target: &mut [u8]) {
        // SAFETY: `self` exists only where these instructions do.
        unsafe { look_up(values, source, target) }
    }

    #[inline(always)]
    fn encode(self, encoder: &FloatEncoder, source: &[u8], target: &mut [u8]) {
        match encoder.by_way_of_f16() {
            // SAFETY: `self` exists only where these instructions do.
            Some(way) => unsafe { encode(way, encoder, source, target) },
            None => PlainHalves.encode(encoder, source, target),
        }
    }
}

impl Halves for Bf16 {
    #[inline(always)]
    fn widen(self, source: &[u8], target: &mut [u8]) {
        self.0.widen(source, target);
    }

    #[inline(always)]
    fn narrow(self, source: &[u8], target: &mut [u8]) {
        self.0.narrow(source, target);
    }

    #[inline(always)]
    fn ramp(self, terms: [f32; 2], first: usize, target: &mut [u8]) -> usize {
        self.0.ramp(terms, first, target)
    }

    #[inline(always)]
    fn narrow_to_bf16(self, source: &[u8], target: &mut [u8]) {
        // SAFETY: `self` exists only where these instructions do.
        unsafe { narrow_to_bf16(source, target) }
    }

    #[inline(always)]
    fn narrow_normal(self, source: &[u8], target: &mut [u8]) {
        // SAFETY: `self` exists only where these instructions do.
        unsafe { narrow_normal(source, target) }
    }

    #[inline(always)]
    fn round_i64(self, source: &[u8], target: &mut [u8]) {
        self.0.round_i64(source, target);
    }

    #[inline(always)]
    fn look_up(self, values: &Values, source: &[u8], target: &mut [u8]) {
        self.0.look_up(values, source, target);
    }

    #[inline(always)]
    fn encode(self, encoder: &FloatEncoder, source: &[u8], target: &mut [u8]) {
        self.0.encode(encoder, source, target);
    }
}

/// The conversions between vectors of f16 and f32, and ranges of f16, by the instructions of a level.
macro_rules! halves {
    (
        $module:ident: $features:literal, $short:ty, $wide:ty,
        $widen:ident, $narrow:ident, $set:ident, $add:ident, $mul:ident
    ) => {
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
                let rest =
                    (source.get(done * size_of::<$short>()..), target.get_mut(done * size_of::<$wide>()..));
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
                let rest =
                    (source.get(done * size_of::<$wide>()..), target.get_mut(done * size_of::<$short>()..));
                if let (Some(source), Some(target)) = rest {
                    PlainHalves.narrow(source, target);
                }
            }

            #[target_feature(enable = $features)]
            #[inline]
            pub(super) fn ramp([base, step]: [f32; 2], first: usize, target: &mut [u8]) -> usize {
                const LANES: usize = size_of::<$wide>() / size_of::<f32>();
                /// Vectors whose indices do not wait for each other.
                const TOGETHER: usize = 4;
                let offsets: [[f32; LANES]; TOGETHER] =
                    from_fn(|vector| from_fn(|lane| (vector * LANES + lane) as f32));
                let offsets = offsets.map(|lanes| pod_read_unaligned::<$wide>(bytes_of(&lanes)));
                let (base, step) = ($set(base), $set(step));
                let places = target.chunks_exact_mut(TOGETHER * size_of::<$short>());
                let mut written = 0;
                for place in places {
                    let index = $set((first + written) as f32);
                    let halves = offsets.map(|offset| {
                        let number = $add(base, $mul(step, $add(index, offset)));
                        $narrow::<_MM_FROUND_TO_NEAREST_INT>(number)
                    });
                    place.copy_from_slice(bytes_of(&halves));
                    written += TOGETHER * LANES;
                }
                written
            }
        }
    };
}

halves! {
    f16c: "avx,f16c", __m128i, __m256,
    _mm256_cvtph_ps, _mm256_cvtps_ph, _mm256_set1_ps, _mm256_add_ps, _mm256_mul_ps
}
halves! {
    avx512f: "avx512f", __m256i, __m512,
    _mm512_cvtph_ps, _mm512_cvtps_ph, _mm512_set1_ps, _mm512_add_ps, _mm512_mul_ps
}

/// Makes a NaN quiet by one more bit.
#[target_feature(enable = "avx2")]
#[inline]
fn widen_bf16(source: &[u8], target: &mut [u8]) {
    let quiet = _mm256_set1_ps(f32::from_bits(0x0040_0000));
    let halves = source.chunks_exact(16);
    let singles = target.chunks_exact_mut(32);
    let done = halves.len().min(singles.len());
    for (half, single) in halves.zip(singles) {
        let wide = _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(pod_read_unaligned(half)));
        let wide = _mm256_castsi256_ps(wide);
        let is_nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(wide, wide);
        single.copy_from_slice(bytes_of(&_mm256_or_ps(wide, _mm256_and_ps(is_nan, quiet))));
    }
    let rest = (source.get(done * 16..), target.get_mut(done * 32..));
    if let (Some(source), Some(target)) = rest {
        PlainHalves.widen_bf16(source, target);
    }
}

/// Sixteen numbers together: the bits of a NaN are not rounded but made quiet.
#[target_feature(enable = "avx2")]
#[inline]
fn narrow_to_bf16_by_shifts(source: &[u8], target: &mut [u8]) {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn rounded(single: __m256) -> __m256i {
        let bits = _mm256_castps_si256(single);
        let upper = _mm256_srli_epi32::<16>(bits);
        let half = _mm256_add_epi32(_mm256_and_si256(upper, _mm256_set1_epi32(1)), _mm256_set1_epi32(0x7FFF));
        let near = _mm256_srli_epi32::<16>(_mm256_add_epi32(bits, half));
        let quiet = _mm256_or_si256(upper, _mm256_set1_epi32(0x0040));
        let is_nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(single, single));
        _mm256_blendv_epi8(near, quiet, is_nan)
    }
    let singles = source.chunks_exact(64);
    let halves = target.chunks_exact_mut(32);
    let done = singles.len().min(halves.len());
    for (single, half) in singles.zip(halves) {
        let [low, high]: [__m256; 2] = pod_read_unaligned(single);
        let packed = _mm256_packus_epi32(rounded(low), rounded(high));
        half.copy_from_slice(bytes_of(&_mm256_permute4x64_epi64::<0b11_01_10_00>(packed)));
    }
    let rest = (source.get(done * 64..), target.get_mut(done * 32..));
    if let (Some(source), Some(target)) = rest {
        PlainHalves.narrow_to_bf16(source, target);
    }
}

/// The instruction takes subnormal numbers for zero, so a vector that holds one is rounded without it.
#[target_feature(enable = "avx512f,avx512dq,avx512bf16")]
#[inline]
fn narrow_to_bf16(source: &[u8], target: &mut [u8]) {
    const SUBNORMAL: i32 = 1 << 5;
    let singles = source.chunks_exact(64);
    let halves = target.chunks_exact_mut(32);
    let done = singles.len().min(halves.len());
    for (from, to) in singles.zip(halves) {
        let single: __m512 = pod_read_unaligned(from);
        if _mm512_fpclass_ps_mask::<SUBNORMAL>(single) == 0 {
            // SAFETY: both are 32 bytes, of which each pattern is valid.
            let half: __m256i = unsafe { mem::transmute(_mm512_cvtneps_pbh(single)) };
            to.copy_from_slice(bytes_of(&half));
        } else {
            PlainHalves.narrow_to_bf16(from, to);
        }
    }
    let rest = (source.get(done * 64..), target.get_mut(done * 32..));
    if let (Some(source), Some(target)) = rest {
        PlainHalves.narrow_to_bf16(source, target);
    }
}

/// The instruction takes subnormal numbers for zero.
#[target_feature(enable = "avx512f,avx512bf16")]
#[inline]
fn narrow_normal(source: &[u8], target: &mut [u8]) {
    let singles = source.chunks_exact(128);
    let halves = target.chunks_exact_mut(64);
    let done = singles.len().min(halves.len());
    for (singles, halves) in singles.zip(halves) {
        let [low, high]: [__m512; 2] = pod_read_unaligned(singles);
        // SAFETY: both are 64 bytes, of which each pattern is valid.
        let both: __m512i = unsafe { mem::transmute(_mm512_cvtne2ps_pbh(high, low)) };
        halves.copy_from_slice(bytes_of(&both));
    }
    let rest = (source.get(done * 128..), target.get_mut(done * 64..));
    if let (Some(source), Some(target)) = rest {
        PlainHalves.narrow_normal(source, target);
    }
}

/// Vectors are half of a line of the caches, of which processors fetch the next one sooner when they load twice from each:
/// whole ones, which a compiler chooses, take up to a quarter longer where numbers come from memory.
#[target_feature(enable = "avx512dq,avx512vl")]
#[inline]
fn round_i64(source: &[u8], target: &mut [u8]) {
    let integers = source.chunks_exact(size_of::<__m256i>());
    let singles = target.chunks_exact_mut(size_of::<__m128>());
    let done = integers.len().min(singles.len());
    for (from, to) in integers.zip(singles) {
        to.copy_from_slice(bytes_of(&_mm256_cvtepi64_ps(pod_read_unaligned(from))));
    }
    let rest = (source.get(done * size_of::<__m256i>()..), target.get_mut(done * size_of::<__m128>()..));
    if let (Some(source), Some(target)) = rest {
        PlainHalves.round_i64(source, target);
    }
}

/// Four vectors of 16 results are looked up together: in each quarter of a vector of codes, four codes of each result.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn look_up(values: &Values, source: &[u8], target: &mut [u8]) {
    #[inline]
    fn quarters(table: &[u8; 256]) -> [__m512i; 4] {
        bytemuck::cast(*table)
    }
    let (lower, upper) = (quarters(&values.lower), quarters(&values.upper));
    let order: [u8; 64] = std::array::from_fn(|i| (i % 16 / 4 * 16 + i / 16 * 4 + i % 4) as u8);
    let (order, zero): (__m512i, __m512i) = (bytemuck::cast(order), _mm512_setzero_si512());
    let codes = source.chunks_exact(64);
    let results = target.chunks_exact_mut(256);
    let done = codes.len().min(results.len());
    for (codes, results) in codes.zip(results) {
        let codes = _mm512_permutexvar_epi8(order, pod_read_unaligned(codes));
        // An index into 128 bytes has seven bits; the eighth chooses the half of the table.
        let is_high = _mm512_movepi8_mask(codes);
        let find = |table: [__m512i; 4]| {
            let low = _mm512_permutex2var_epi8(table[0], codes, table[1]);
            let high = _mm512_permutex2var_epi8(table[2], codes, table[3]);
            _mm512_mask_blend_epi8(is_high, low, high)
        };
        let (lower, upper) = (find(lower), find(upper));
        let (first, second) = (_mm512_unpacklo_epi8(lower, upper), _mm512_unpackhi_epi8(lower, upper));
        let singles = [
            _mm512_unpacklo_epi16(zero, first),
            _mm512_unpackhi_epi16(zero, first),
            _mm512_unpacklo_epi16(zero, second),
            _mm512_unpackhi_epi16(zero, second),
        ];
        results.copy_from_slice(bytes_of(&singles));
    }
    let rest = (source.get(done * 64..), target.get_mut(done * 256..));
    if let (Some(source), Some(target)) = rest {
        convert_bytes(source, target, |code| values.get(code));
    }
}

/// Truncates to f16, of which the lowest bits tell that more was cut off, and rounds that to codes in its upper bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn encode(way: ByWayOfF16, encoder: &FloatEncoder, source: &[u8], target: &mut [u8]) {
    /// Bits of an f32 behind those that decide how it is rounded, and the lowest one of these.
    const BEHIND: i32 = (1 << 18) - 1;
    const LOWEST: i32 = 1 << 18;
    let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    let (scale, up) = (_mm512_set1_ps(way.scale), _mm512_set1_epi16(way.shift.into()));
    let (sign, one) = (all(0x80), all(1));
    let (behind, lowest) = (_mm512_set1_epi32(BEHIND), _mm512_set1_epi32(LOWEST));
    // The upper byte of f16 shifted upwards; its sign is no part of a code that is shifted.
    let magnitude = all(if way.shift == 0 { 0x7F } else { 0xFF });
    let (infinity, nan) = (all(0x7C << way.shift), all(0x7E << way.shift));
    let bytes = |first: u8| std::array::from_fn::<u8, 64, _>(|i| 2 * i as u8 + first);
    let (evens, odds): (__m512i, __m512i) = (bytemuck::cast(bytes(0)), bytemuck::cast(bytes(1)));
    let singles = source.chunks_exact(256);
    let codes = target.chunks_exact_mut(64);
    let done = singles.len().min(codes.len());
    for (singles, codes) in singles.zip(codes) {
        let singles: [__m512; 4] = pod_read_unaligned(singles);
        let [a, b, c, d] = singles.map(|single| {
            let bits = _mm512_castps_si512(_mm512_mul_ps(single, scale));
            let is_more = _mm512_test_epi32_mask(bits, behind);
            let bits = _mm512_mask_or_epi32(bits, is_more, bits, lowest);
            _mm512_cvtps_ph::<_MM_FROUND_TO_ZERO>(_mm512_castsi512_ps(bits))
        });
        let [first, second] =
            [[a, b], [c, d]].map(|[low, high]| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high));
        let signs = _mm512_permutex2var_epi8(first, odds, second);
        let (first, second) = (_mm512_sllv_epi16(first, up), _mm512_sllv_epi16(second, up));
        let upper = _mm512_and_si512(_mm512_permutex2var_epi8(first, odds, second), magnitude);
        let lower = _mm512_permutex2var_epi8(first, evens, second);
        // More than half, or half beside an odd code.
        let over_half = _mm512_adds_epu8(lower, _mm512_and_si512(upper, one));
        let code = _mm512_mask_add_epi8(upper, _mm512_cmpgt_epu8_mask(over_half, sign), upper, one);
        let code = _mm512_min_epu8(code, all(way.overflow));
        let code = _mm512_mask_mov_epi8(code, _mm512_cmpeq_epi8_mask(upper, infinity), all(way.infinite));
        let code = _mm512_mask_mov_epi8(code, _mm512_cmpge_epu8_mask(upper, nan), all(way.nan));
        let code = _mm512_or_si512(code, _mm512_and_si512(signs, sign));
        codes.copy_from_slice(bytes_of(&code));
    }
    let rest = (source.get(done * 256..), target.get_mut(done * 64..));
    if let (Some(source), Some(target)) = rest {
        PlainHalves.encode(encoder, source, target);
    }
}
