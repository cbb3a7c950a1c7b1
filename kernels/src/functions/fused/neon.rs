//! Vectors of four f32 and of eight i16, with NEON, which every processor of this architecture has.

use std::arch::aarch64::*;
use std::arch::asm;

use aclnn_numerics::DType::{self, *};

use super::loops::{BHalf, Half, Load, RoundedToHalf, Store, Truth, Vectors, each, planar};
use super::planar::{Pair, Planar, Run};
use crate::functions::arithmetic::Operation;

macro_rules! arithmetic {
    ($($name:ident: $instruction:ident)*) => {$(
        #[inline]
        unsafe fn $name(a: float32x4_t, b: float32x4_t) -> float32x4_t {
            // SAFETY: every processor has the instructions.
            unsafe { first_nan(a, $instruction(a, b)) }
        }
    )*};
}

/// A result, but where `a` is no number `a`, quiet: the instructions prefer a NaN that is not quiet, which may be the second.
#[inline]
unsafe fn first_nan(a: float32x4_t, result: float32x4_t) -> float32x4_t {
    const QUIET: u32 = 0x0040_0000;
    // SAFETY: as above.
    unsafe {
        let quiet = vorrq_u32(vreinterpretq_u32_f32(a), vdupq_n_u32(QUIET));
        vbslq_f32(vceqq_f32(a, a), result, vreinterpretq_f32_u32(quiet))
    }
}

/// Vectors of f32.
pub(super) struct Neon;

impl Vectors for Neon {
    type Vector = float32x4_t;

    const LANES: usize = 4;

    #[inline]
    unsafe fn every_other<const SHIFTED: bool>(first: float32x4_t, second: float32x4_t) -> float32x4_t {
        // SAFETY: every processor has the instructions.
        unsafe {
            // Of a second vector that begins one element earlier, the odd ones count.
            let second = if SHIFTED { vextq_f32::<1>(second, second) } else { second };
            vuzp1q_f32(first, second)
        }
    }

    arithmetic! { add: vaddq_f32 sub: vsubq_f32 mul: vmulq_f32 div: vdivq_f32 }

    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>>() -> Run {
        unsafe fn run<A: Load<Neon>, B: Load<Neon>, R: Store<Neon>>(pair: &Pair, operation: Operation) {
            // SAFETY: by the contract.
            unsafe { each::<Neon, A, B, R>(pair, operation, run::<A, B, R>) }
        }
        run::<A, B, R>
    }
}

/// Widens four f16. The function for it needs a type that is not stable.
#[inline]
fn widened(halves: uint16x4_t) -> float32x4_t {
    let result;
    // SAFETY: arithmetic of registers.
    unsafe {
        asm!(
            "fcvtl {result:v}.4s, {halves:v}.4h",
            result = lateout(vreg) result, halves = in(vreg) halves,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    result
}

/// Rounds to four f16, ties to even.
#[inline]
fn narrowed(values: float32x4_t) -> uint16x4_t {
    let result;
    // SAFETY: arithmetic of registers.
    unsafe {
        asm!(
            "fcvtn {result:v}.4h, {values:v}.4s",
            result = lateout(vreg) result, values = in(vreg) values,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    result
}

macro_rules! load {
    ($($vectors:ty, $vector:ty, $type:ty: $from:ident => $loaded:expr;)*) => {$(
        impl Load<$vectors> for $type {
            #[inline]
            unsafe fn load($from: *const Self) -> $vector {
                // SAFETY: by the contract of the trait.
                unsafe { $loaded }
            }
        }
    )*};
}

// A NaN that is not quiet may stay so, since the arithmetic makes it quiet.
load! {
    Neon, float32x4_t, f32: from => vld1q_f32(from);
    Neon, float32x4_t, i32: from => vcvtq_f32_s32(vld1q_s32(from));
    // In two steps it would be rounded twice.
    Neon, float32x4_t, i64: from => {
        let numbers: [f32; 4] = std::array::from_fn(|number| from.add(number).read_unaligned() as f32);
        vld1q_f32(numbers.as_ptr())
    };
    Neon, float32x4_t, Half: from => widened(vld1_u16(from.cast()));
    Neon, float32x4_t, BHalf: from => vreinterpretq_f32_u32(vshll_n_u16::<16>(vld1_u16(from.cast())));
    Neon, float32x4_t, Truth: from => {
        let bytes = vcreate_u8(from.cast::<u32>().read_unaligned().into());
        let numbers = vmovl_u16(vget_low_u16(vmovl_u8(bytes)));
        let is_true = vcgtq_u32(numbers, vdupq_n_u32(0));
        vreinterpretq_f32_u32(vandq_u32(is_true, vreinterpretq_u32_f32(vdupq_n_f32(1.0))))
    };
    Neon, float32x4_t, RoundedToHalf: from => widened(narrowed(<i32 as Load<Neon>>::load(from.cast())));
    Shorts, int16x8_t, i8: from => vmovl_s8(vld1_s8(from));
    Shorts, int16x8_t, u8: from => vreinterpretq_s16_u16(vmovl_u8(vld1_u8(from)));
}

macro_rules! store {
    ($($vectors:ty, $vector:ty, $type:ty: $values:ident => $packed:expr, $store:ident;)*) => {$(
        impl Store<$vectors> for $type {
            #[inline]
            unsafe fn store(to: *mut Self, $values: $vector) {
                // SAFETY: by the contract of the trait.
                unsafe { $store(to.cast(), $packed) }
            }

            /// Processors of this architecture notice by themselves that a result is not read.
            #[inline]
            unsafe fn stream(to: *mut Self, values: $vector) {
                // SAFETY: by the contract of the trait.
                unsafe { Self::store(to, values) }
            }
        }
    )*};
}

store! {
    Neon, float32x4_t, f32: values => values, vst1q_f32;
    Neon, float32x4_t, Half: values => narrowed(values), vst1_u16;
    Neon, float32x4_t, BHalf: values => {
        let bits = vreinterpretq_u32_f32(values);
        let upper = vshrq_n_u32::<16>(bits);
        let is_odd = vandq_u32(upper, vdupq_n_u32(1));
        let up_to_half = vaddq_u32(is_odd, vdupq_n_u32(0x7FFF));
        let rounded = vshrq_n_u32::<16>(vaddq_u32(bits, up_to_half));
        let is_number = vceqq_f32(values, values);
        vmovn_u32(vbslq_u32(is_number, rounded, upper))
    }, vst1_u16;
    Shorts, int16x8_t, i16: values => values, vst1q_s16;
}

/// Vectors of i16, in which bytes of both signs are combined.
struct Shorts;

impl Vectors for Shorts {
    type Vector = int16x8_t;

    const LANES: usize = 8;

    #[inline]
    unsafe fn every_other<const SHIFTED: bool>(first: int16x8_t, second: int16x8_t) -> int16x8_t {
        // SAFETY: every processor has the instructions.
        unsafe {
            let second = if SHIFTED { vextq_s16::<1>(second, second) } else { second };
            vuzp1q_s16(first, second)
        }
    }

    #[inline]
    unsafe fn add(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: as above.
        unsafe { vaddq_s16(a, b) }
    }

    #[inline]
    unsafe fn sub(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: as above.
        unsafe { vsubq_s16(a, b) }
    }

    #[inline]
    unsafe fn mul(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: as above.
        unsafe { vmulq_s16(a, b) }
    }

    /// Not called: processors have no instruction for quotients of integers in vectors, and `shorts` has no loop for them.
    unsafe fn div(a: int16x8_t, _: int16x8_t) -> int16x8_t {
        a
    }

    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>>() -> Run {
        unsafe fn run<A: Load<Shorts>, B: Load<Shorts>, R: Store<Shorts>>(pair: &Pair, operation: Operation) {
            // SAFETY: by the contract.
            unsafe { each::<Shorts, A, B, R>(pair, operation, run::<A, B, R>) }
        }
        run::<A, B, R>
    }
}

/// The loop of a pair of bytes, where there is one.
pub(super) fn shorts(operation: Operation, a: DType, b: DType) -> Option<Planar> {
    match (a, b) {
        _ if operation == Operation::Div => None,
        (I8, U8) => Some(planar::<Shorts, i8, u8, i16>(operation)),
        (U8, I8) => Some(planar::<Shorts, u8, i8, i16>(operation)),
        _ => None,
    }
}
