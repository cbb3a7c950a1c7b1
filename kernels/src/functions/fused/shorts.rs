//! Vectors of sixteen i16, with AVX2, in which bytes of both signs are combined.

use std::arch::x86_64::*;

use aclnn_numerics::DType::{self, *};

use super::loops::{Load, Store, Vectors, each, planar};
use super::planar::{Pair, Planar, Run};
use crate::functions::arithmetic::Operation;

macro_rules! arithmetic {
    ($($name:ident: $instruction:ident)*) => {$(
        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn $name(a: __m256i, b: __m256i) -> __m256i {
            $instruction(a, b)
        }
    )*};
}

/// Named only where the processor has AVX2.
struct Shorts;

impl Vectors for Shorts {
    type Vector = __m256i;

    const LANES: usize = 16;

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn every_other<const SHIFTED: bool>(first: __m256i, second: __m256i) -> __m256i {
        let lower = _mm256_set1_epi32(0xFFFF);
        let second = if SHIFTED { _mm256_srli_epi32::<16>(second) } else { _mm256_and_si256(second, lower) };
        // By halves of the vectors: the lower ones of both come first.
        let packed = _mm256_packus_epi32(_mm256_and_si256(first, lower), second);
        _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
    }

    arithmetic! { add: _mm256_add_epi16 sub: _mm256_sub_epi16 mul: _mm256_mullo_epi16 }

    /// Not called: processors have no instruction for quotients of integers in vectors, and `pair` has no loop for them.
    unsafe fn div(a: __m256i, _: __m256i) -> __m256i {
        a
    }

    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>>() -> Run {
        #[target_feature(enable = "avx2")]
        unsafe fn run<A: Load<Shorts>, B: Load<Shorts>, R: Store<Shorts>>(pair: &Pair, operation: Operation) {
            // SAFETY: by the contract; the processor has the instructions of this function.
            unsafe { each::<Shorts, A, B, R>(pair, operation, run::<A, B, R>) }
        }
        run::<A, B, R>
    }
}

macro_rules! load {
    ($($type:ty: $instruction:ident)*) => {$(
        impl Load<Shorts> for $type {
            #[inline]
            #[target_feature(enable = "avx2")]
            unsafe fn load(from: *const Self) -> __m256i {
                // SAFETY: by the contract of the trait.
                $instruction(unsafe { _mm_loadu_si128(from.cast()) })
            }
        }
    )*};
}

load! { i8: _mm256_cvtepi8_epi16 u8: _mm256_cvtepu8_epi16 }

impl Store<Shorts> for i16 {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(to: *mut Self, values: __m256i) {
        // SAFETY: by the contract of the trait.
        unsafe { _mm256_storeu_si256(to.cast(), values) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn stream(to: *mut Self, values: __m256i) {
        // SAFETY: by the contract of the trait.
        unsafe { _mm256_stream_si256(to.cast(), values) }
    }
}

/// The loop of a pair of bytes, where there is one. This processor must have AVX2.
pub(super) fn pair(operation: Operation, a: DType, b: DType) -> Option<Planar> {
    match (a, b) {
        _ if operation == Operation::Div => None,
        (I8, U8) => Some(planar::<Shorts, i8, u8, i16>(operation)),
        (U8, I8) => Some(planar::<Shorts, u8, i8, i16>(operation)),
        _ => None,
    }
}
