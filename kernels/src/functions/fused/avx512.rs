//! Vectors of sixteen f32, with AVX-512.

use std::arch::asm;
use std::arch::x86_64::*;

use super::loops::{BHalf, Half, Load, RoundedToHalf, Store, Truth, Vectors, each};
use super::planar::{Pair, Run};
use crate::functions::arithmetic::Operation;

macro_rules! arithmetic {
    ($($name:ident: $instruction:literal)*) => {$(
        // The compiler would exchange the operands of sums and products as suits it, and so choose another NaN.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        unsafe fn $name(a: __m512, b: __m512) -> __m512 {
            let result;
            // SAFETY: arithmetic of registers. It sets the exception flags of floating point, so it is not said to
            // preserve flags.
            unsafe {
                asm!(
                    concat!($instruction, " {result}, {a}, {b}"),
                    result = lateout(zmm_reg) result, a = in(zmm_reg) a, b = in(zmm_reg) b,
                    options(pure, nomem, nostack)
                );
            }
            result
        }
    )*};
}

/// Named only where the processor has AVX-512.
pub(super) struct Avx512;

impl Vectors for Avx512 {
    type Vector = __m512;

    const LANES: usize = 16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn every_other<const SHIFTED: bool>(first: __m512, second: __m512) -> __m512 {
        let order = if SHIFTED {
            _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31)
        } else {
            _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
        };
        _mm512_permutex2var_ps(first, order, second)
    }

    arithmetic! { add: "vaddps" sub: "vsubps" mul: "vmulps" div: "vdivps" }

    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>>() -> Run {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        unsafe fn run<A: Load<Avx512>, B: Load<Avx512>, R: Store<Avx512>>(pair: &Pair, operation: Operation) {
            // SAFETY: by the contract; the processor has the instructions of this function.
            unsafe { each::<Avx512, A, B, R>(pair, operation, run::<A, B, R>) }
        }
        run::<A, B, R>
    }
}

macro_rules! load {
    ($($type:ty: $from:ident => $vector:expr;)*) => {$(
        impl Load<Avx512> for $type {
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn load($from: *const Self) -> __m512 {
                // SAFETY: by the contract of the trait.
                unsafe { $vector }
            }
        }
    )*};
}

// A NaN that is not quiet may stay so, since the arithmetic makes it quiet.
load! {
    f32: from => _mm512_loadu_ps(from);
    i32: from => _mm512_cvtepi32_ps(_mm512_loadu_si512(from.cast()));
    i64: from => {
        let low = _mm512_cvtepi64_ps(_mm512_loadu_si512(from.cast()));
        let high = _mm512_cvtepi64_ps(_mm512_loadu_si512(from.add(8).cast()));
        _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high)
    };
    Half: from => _mm512_cvtph_ps(_mm256_loadu_si256(from.cast()));
    BHalf: from => {
        let bits = _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.cast()));
        _mm512_castsi512_ps(_mm512_slli_epi32::<16>(bits))
    };
    Truth: from => {
        let bytes = _mm_loadu_si128(from.cast());
        _mm512_maskz_mov_ps(_mm_test_epi8_mask(bytes, bytes), _mm512_set1_ps(1.0))
    };
    RoundedToHalf: from => _mm512_cvtph_ps(narrowed(<i32 as Load<Avx512>>::load(from.cast())));
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn narrowed(values: __m512) -> __m256i {
    _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn rounded_to_bf16(values: __m512) -> __m256i {
    let bits = _mm512_castps_si512(values);
    let upper = _mm512_srli_epi32::<16>(bits);
    let is_odd = _mm512_and_si512(upper, _mm512_set1_epi32(1));
    let up_to_half = _mm512_add_epi32(is_odd, _mm512_set1_epi32(0x7FFF));
    let is_number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(values, values);
    let result = _mm512_mask_srli_epi32::<16>(upper, is_number, _mm512_add_epi32(bits, up_to_half));
    _mm512_cvtepi32_epi16(result)
}

macro_rules! store {
    ($($type:ty: $values:ident => $packed:expr, $store:ident $stream:ident;)*) => {$(
        impl Store<Avx512> for $type {
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn store(to: *mut Self, $values: __m512) {
                // SAFETY: by the contract of the trait.
                unsafe { $store(to.cast(), $packed) }
            }

            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn stream(to: *mut Self, $values: __m512) {
                // SAFETY: by the contract of the trait.
                unsafe { $stream(to.cast(), $packed) }
            }
        }
    )*};
}

store! {
    f32: values => values, _mm512_storeu_ps _mm512_stream_ps;
    Half: values => narrowed(values), _mm256_storeu_si256 _mm256_stream_si256;
    BHalf: values => rounded_to_bf16(values), _mm256_storeu_si256 _mm256_stream_si256;
}
