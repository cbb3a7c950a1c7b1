//! The vectors of `avx512`, with the instruction that rounds to bf16.

use std::arch::x86_64::*;
use std::mem;

use aclnn_numerics::DType::{self, *};

use super::avx512::{Avx512, rounded_to_bf16};
use super::loops::{self, BHalf, Load, Store, Vectors, each};
use super::planar::{Pair, Planar, Run};
use crate::functions::arithmetic::Operation;

/// The loop of a pair, where there is one: that of `avx512` where the result is no bf16.
pub(super) fn pair(operation: Operation, a: DType, b: DType, promoted: DType) -> Option<Planar> {
    match (promoted, a, b) {
        (BF16, BF16, BF16) => Some(loops::planar::<Bf16, BHalf, BHalf, BHalf>(operation)),
        (BF16, BF16, F32) => Some(loops::planar::<Bf16, BHalf, f32, BHalf>(operation)),
        _ => loops::pair::<Avx512>(operation, a, b, promoted),
    }
}

macro_rules! arithmetic {
    ($($name:ident)*) => {$(
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
        unsafe fn $name(a: __m512, b: __m512) -> __m512 {
            // SAFETY: by the contract.
            unsafe { Avx512::$name(a, b) }
        }
    )*};
}

/// Named only where the processor has the instruction, and with it AVX-512.
struct Bf16;

impl Vectors for Bf16 {
    type Vector = __m512;

    const LANES: usize = Avx512::LANES;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    unsafe fn every_other<const SHIFTED: bool>(first: __m512, second: __m512) -> __m512 {
        // SAFETY: by the contract.
        unsafe { Avx512::every_other::<SHIFTED>(first, second) }
    }

    arithmetic! { add sub mul div }

    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>>() -> Run {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
        unsafe fn run<A: Load<Bf16>, B: Load<Bf16>, R: Store<Bf16>>(pair: &Pair, operation: Operation) {
            // SAFETY: by the contract; the processor has the instructions of this function.
            unsafe { each::<Bf16, A, B, R>(pair, operation, run::<A, B, R>) }
        }
        run::<A, B, R>
    }
}

impl<T: Load<Avx512>> Load<Bf16> for T {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    unsafe fn load(from: *const Self) -> __m512 {
        // SAFETY: by the contract.
        unsafe { <T as Load<Avx512>>::load(from) }
    }
}

impl Store<Bf16> for BHalf {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    unsafe fn store(to: *mut Self, values: __m512) {
        // SAFETY: by the contract.
        unsafe { _mm256_storeu_si256(to.cast(), rounded(values)) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    unsafe fn stream(to: *mut Self, values: __m512) {
        // SAFETY: by the contract.
        unsafe { _mm256_stream_si256(to.cast(), rounded(values)) }
    }
}

/// The instruction takes subnormal numbers for zero, so a vector that holds one is rounded without it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
fn rounded(values: __m512) -> __m256i {
    const SUBNORMAL: i32 = 1 << 5;
    if _mm512_fpclass_ps_mask::<SUBNORMAL>(values) != 0 {
        return rounded_to_bf16(values);
    }
    // SAFETY: both are 32 bytes, of which each pattern is valid.
    unsafe { mem::transmute(_mm512_cvtneps_pbh(values)) }
}
