//! Vectors of sixteen i16, with AVX2, in which bytes of both signs are combined.

use std::arch::x86_64::*;

use aclnn_numerics::DType::{self, *};

use super::loops::{Add, Combine, Load, Mul, Store, Sub, Vectors, each};
use super::planar::{Pair, Planar};
use crate::functions::arithmetic::Operation;

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

    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>, F: Combine<Self>>() -> unsafe fn(&Pair) {
        #[target_feature(enable = "avx2")]
        unsafe fn run<A: Load<Shorts>, B: Load<Shorts>, R: Store<Shorts>, F: Combine<Shorts>>(pair: &Pair) {
            // SAFETY: by the contract; the processor has the instructions of this function.
            unsafe { each::<Shorts, A, B, R, F>(pair, run::<A, B, R, F>) }
        }
        run::<A, B, R, F>
    }
}

macro_rules! combine {
    ($($name:ident: $instruction:ident)*) => {$(
        impl Combine<Shorts> for $name {
            #[inline]
            #[target_feature(enable = "avx2")]
            unsafe fn combine(a: __m256i, b: __m256i) -> __m256i {
                $instruction(a, b)
            }
        }
    )*};
}

combine! { Add: _mm256_add_epi16 Sub: _mm256_sub_epi16 Mul: _mm256_mullo_epi16 }

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
        (I8, U8) => planar::<i8, u8>(operation),
        (U8, I8) => planar::<u8, i8>(operation),
        _ => None,
    }
}

fn planar<A: Load<Shorts>, B: Load<Shorts>>(operation: Operation) -> Option<Planar> {
    let run = match operation {
        Operation::Add => Shorts::compiled::<A, B, i16, Add>(),
        Operation::Sub => Shorts::compiled::<A, B, i16, Sub>(),
        Operation::Mul => Shorts::compiled::<A, B, i16, Mul>(),
        // Processors have no instruction for quotients of integers in vectors.
        Operation::Div => return None,
    };
    Some(Planar { run, sizes: [size_of::<A>(), size_of::<B>(), size_of::<i16>()] })
}
