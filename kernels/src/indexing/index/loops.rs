//! The loops that combine elements at any position, in every compute type.

use aclnn_numerics::DType;
use bytemuck::{Pod, Zeroable};
use num_complex::Complex;

use super::reduction::Reduction;
use super::runs::SKIPPED;
use super::runs::Source;

/// Combines runs of so many elements, whose positions are counted from `first`, with something, one run after the other.
///
/// # Safety
/// Every position but [`SKIPPED`] is that of a run in memory that nobody else reads or writes; the source has all runs.
pub(super) type Loop = unsafe fn(first: *mut u8, offsets: &[isize], run: usize, with: Source<'_>);

/// Divides an element by a number of terms; integers are rounded down.
pub(super) type Divide = fn(&mut [u8], u32);

/// A truth value: any byte but zero is true.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
struct Truth(u8);

/// A type in which elements are combined. Integers wrap, and of a number and NaN, NaN is both the greater and the smaller one.
trait Number: Pod {
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn over(self, count: u32) -> Self;
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Number for $type {
            fn add(self, other: Self) -> Self { self + other }
            fn mul(self, other: Self) -> Self { self * other }
            fn max(self, other: Self) -> Self { if self.is_nan() || self > other { self } else { other } }
            fn min(self, other: Self) -> Self { if self.is_nan() || self < other { self } else { other } }
            fn over(self, count: u32) -> Self { self / count as $type }
        }

        /// Complex numbers have no order.
        impl Number for Complex<$type> {
            fn add(self, other: Self) -> Self { self + other }
            fn mul(self, other: Self) -> Self { self * other }
            fn max(self, _: Self) -> Self { self }
            fn min(self, _: Self) -> Self { self }
            fn over(self, count: u32) -> Self { self / count as $type }
        }
    )*};
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            fn max(self, other: Self) -> Self { Ord::max(self, other) }
            fn min(self, other: Self) -> Self { Ord::min(self, other) }
            fn over(self, count: u32) -> Self { i64::from(self).div_euclid(i64::from(count.max(1))) as $type }
        }
    )*};
}

floats! { f32 f64 }
integers! { i8 u8 i16 i32 i64 }

impl Number for Truth {
    fn add(self, other: Self) -> Self {
        Truth(u8::from(self.0 != 0 || other.0 != 0))
    }
    fn mul(self, other: Self) -> Self {
        Truth(u8::from(self.0 != 0 && other.0 != 0))
    }
    fn max(self, other: Self) -> Self {
        self.add(other)
    }
    fn min(self, other: Self) -> Self {
        self.mul(other)
    }
    fn over(self, _: u32) -> Self {
        self
    }
}

/// # Safety
/// That of [`Loop`].
#[inline(always)]
unsafe fn each<T: Number>(
    first: *mut u8,
    offsets: &[isize],
    run: usize,
    with: Source<'_>,
    combine: impl Fn(T, T) -> T,
) {
    let (from, distance) = with.steps(run);
    // SAFETY: an element of the run, and of what it is combined with, by the contract.
    let one = |to: *mut T, from: *const T| unsafe {
        to.write_unaligned(combine(to.read_unaligned(), from.read_unaligned()));
    };
    for (number, offset) in offsets.iter().enumerate().filter(|(_, offset)| **offset != SKIPPED) {
        let to = first.cast::<T>().wrapping_offset(*offset);
        let from = from.cast::<T>().wrapping_add(number * distance);
        // Single elements do without a loop that is made for many.
        if run == 1 {
            one(to, from);
            continue;
        }
        for step in 0..run {
            one(to.wrapping_add(step), from.wrapping_add(step));
        }
    }
}

/// Returns the value of an expression for each compute type, in which `T` is that type.
macro_rules! in_types {
    ($compute:expr, $T:ident => $loop:expr; $($dtype:ident $type:ty),*) => {
        match $compute {
            $(DType::$dtype => {
                type $T = $type;
                $loop
            })*
            _ => return None,
        }
    };
    ($compute:expr, $T:ident => $loop:expr) => {
        in_types!($compute, $T => $loop;
            F32 f32, F64 f64, I8 i8, U8 u8, I16 i16, I32 i32, I64 i64, Bool Truth, C64 Complex<f32>, C128 Complex<f64>)
    };
}

/// The loop of a reduction in a compute type.
pub(super) fn in_type(reduction: Reduction, compute: DType) -> Option<Loop> {
    macro_rules! by {
        ($method:ident) => {
            in_types!(compute, T => |first, offsets, run, with| {
                // SAFETY: the contract is that of the loop.
                unsafe { each::<T>(first, offsets, run, with, <T as Number>::$method) }
            })
        };
    }
    Some(match reduction {
        Reduction::Max | Reduction::Min if compute.is_complex() => return None,
        Reduction::Add | Reduction::Mean => by!(add),
        Reduction::Mul => by!(mul),
        Reduction::Max => by!(max),
        Reduction::Min => by!(min),
        Reduction::Div => in_types!(compute, T => |first, offsets, run, with| {
            // SAFETY: the contract is that of the loop.
            unsafe { each::<T>(first, offsets, run, with, |a: T, b: T| a / b) }
        }; F32 f32, F64 f64),
    })
}

/// The division of a compute type; there is none of truth values.
pub(super) fn divide(compute: DType) -> Option<Divide> {
    if compute == DType::Bool {
        return None;
    }
    Some(in_types!(compute, T => |element, count| {
        if let Ok(number) = bytemuck::try_pod_read_unaligned::<T>(element) {
            element.copy_from_slice(bytemuck::bytes_of(&number.over(count)));
        }
    }))
}
