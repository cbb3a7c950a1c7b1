//! Vectors of eight f32, with AVX2 and F16C.

use std::arch::asm;
use std::arch::x86_64::*;

use super::loops::{BHalf, Half, Load, RoundedToHalf, Store, Truth, Vectors, each};
use super::planar::{Pair, Run};
use crate::functions::arithmetic::Operation;

macro_rules! arithmetic {
    ($($name:ident: $instruction:literal)*) => {$(
        // The compiler would exchange the operands of sums and products as suits it, and so choose another NaN.
        #[inline]
        #[target_feature(enable = "avx2,f16c")]
        unsafe fn $name(a: __m256, b: __m256) -> __m256 {
            let result;
            // SAFETY: arithmetic of registers. It sets the exception flags of floating point, so it is not said to
            // preserve flags.
            unsafe {
                asm!(
                    concat!($instruction, " {result}, {a}, {b}"),
                    result = lateout(ymm_reg) result, a = in(ymm_reg) a, b = in(ymm_reg) b,
                    options(pure, nomem, nostack)
                );
            }
            result
        }
    )*};
}

/// Named only where the processor has AVX2 and F16C.
pub(super) struct Avx2;

impl Vectors for Avx2 {
    type Vector = __m256;

    const LANES: usize = 8;

    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn every_other<const SHIFTED: bool>(first: __m256, second: __m256) -> __m256 {
        let quarters = if SHIFTED {
            _mm256_shuffle_ps::<0b11_01_10_00>(first, second)
        } else {
            _mm256_shuffle_ps::<0b10_00_10_00>(first, second)
        };
        _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(_mm256_castps_pd(quarters)))
    }

    arithmetic! { add: "vaddps" sub: "vsubps" mul: "vmulps" div: "vdivps" }

    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>>() -> Run {
        #[target_feature(enable = "avx2,f16c")]
        unsafe fn run<A: Load<Avx2>, B: Load<Avx2>, R: Store<Avx2>>(pair: &Pair, operation: Operation) {
            // SAFETY: by the contract; the processor has the instructions of this function.
            unsafe { each::<Avx2, A, B, R>(pair, operation, run::<A, B, R>) }
        }
        run::<A, B, R>
    }
}

macro_rules! load {
    ($($type:ty: $from:ident => $vector:expr;)*) => {$(
        impl Load<Avx2> for $type {
            #[inline]
            #[target_feature(enable = "avx2,f16c")]
            unsafe fn load($from: *const Self) -> __m256 {
                // SAFETY: by the contract of the trait.
                unsafe { $vector }
            }
        }
    )*};
}

// A NaN that is not quiet may stay so, since the arithmetic makes it quiet.
load! {
    f32: from => _mm256_loadu_ps(from);
    i32: from => _mm256_cvtepi32_ps(_mm256_loadu_si256(from.cast()));
    // There is no instruction for it.
    i64: from => {
        let numbers: [f32; 8] = std::array::from_fn(|number| from.add(number).read_unaligned() as f32);
        _mm256_loadu_ps(numbers.as_ptr())
    };
    Half: from => _mm256_cvtph_ps(_mm_loadu_si128(from.cast()));
    BHalf: from => {
        let bits = _mm256_cvtepu16_epi32(_mm_loadu_si128(from.cast()));
        _mm256_castsi256_ps(_mm256_slli_epi32::<16>(bits))
    };
    Truth: from => {
        let bytes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(from.cast()));
        let is_true = _mm256_cmpgt_epi32(bytes, _mm256_setzero_si256());
        _mm256_and_ps(_mm256_castsi256_ps(is_true), _mm256_set1_ps(1.0))
    };
    RoundedToHalf: from => _mm256_cvtph_ps(narrowed(<i32 as Load<Avx2>>::load(from.cast())));
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn narrowed(values: __m256) -> __m128i {
    _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values)
}

macro_rules! store {
    ($($type:ty: $values:ident => $packed:expr, $store:ident $stream:ident;)*) => {$(
        impl Store<Avx2> for $type {
            #[inline]
            #[target_feature(enable = "avx2,f16c")]
            unsafe fn store(to: *mut Self, $values: __m256) {
                // SAFETY: by the contract of the trait.
                unsafe { $store(to.cast(), $packed) }
            }

            #[inline]
            #[target_feature(enable = "avx2,f16c")]
            unsafe fn stream(to: *mut Self, $values: __m256) {
                // SAFETY: by the contract of the trait.
                unsafe { $stream(to.cast(), $packed) }
            }
        }
    )*};
}

store! {
    f32: values => values, _mm256_storeu_ps _mm256_stream_ps;
    Half: values => narrowed(values), _mm_storeu_si128 _mm_stream_si128;
    BHalf: values => {
        let bits = _mm256_castps_si256(values);
        let upper = _mm256_srli_epi32::<16>(bits);
        let is_odd = _mm256_and_si256(upper, _mm256_set1_epi32(1));
        let up_to_half = _mm256_add_epi32(is_odd, _mm256_set1_epi32(0x7FFF));
        let rounded = _mm256_srli_epi32::<16>(_mm256_add_epi32(bits, up_to_half));
        let is_nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(values, values));
        let result = _mm256_blendv_epi8(rounded, upper, is_nan);
        let (low, high) = (_mm256_castsi256_si128(result), _mm256_extracti128_si256::<1>(result));
        _mm_packus_epi32(low, high)
    }, _mm_storeu_si128 _mm_stream_si128;
}
