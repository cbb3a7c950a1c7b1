//! Functions of all elements of a lane with a result for each: running sums, products and extremes.

use aclnn_numerics::DType;
use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};
use num_complex::Complex64;

use crate::views::failure::Result;
#[cfg(target_arch = "x86_64")]
use crate::views::instructions::Instructions;
use crate::{LaneBody, Panel};

/// A cumulative function along a lane. Positions are i64.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    Sum(Direction),
    Product,
    /// The greatest or the smallest element so far, and the position of the last of them.
    Extreme {
        is_greatest: bool,
        forgets: bool,
    },
}

/// The elements that a cumulative sum adds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direction {
    /// All before the element itself.
    pub is_exclusive: bool,
    /// From the last element on.
    pub is_reverse: bool,
}

/// Returns the type that elements of type `dtype` are computed in.
pub fn compute_type(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        DType::C64 => DType::C128,
        other if other.is_integer() || other == DType::Bool => DType::I64,
        other => other,
    }
}

impl Function {
    /// Returns the body over elements of one of the types that [`compute_type`] names.
    pub fn body(self, compute: DType) -> Option<Scan> {
        let run: Run = match compute {
            #[cfg(target_arch = "x86_64")]
            DType::F32 if Instructions::chosen() != Instructions::Baseline => {
                |function, count, from, outputs| {
                    // SAFETY: only `Instructions::of_this_processor` makes other values, where the processor has them.
                    unsafe { run_f32_avx2(function, count, from, outputs) }
                }
            }
            DType::F32 => run::<f32>,
            DType::F64 => run::<f64>,
            DType::I64 => run::<i64>,
            DType::C128 => run::<Complex64>,
            _ => return None,
        };
        Some(Scan { function: self, run })
    }
}

/// Computes so many lanes: of a sum, and otherwise one.
type Run = fn(Function, usize, &[u8], &mut [&mut [u8]]);

/// A function over elements of one type.
pub struct Scan {
    function: Function,
    run: Run,
}

impl LaneBody for Scan {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        if let [input] = inputs {
            (self.run)(self.function, 1, input, outputs);
        }
        Ok(())
    }

    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        if let ([input], Function::Sum(_)) = (panel.inputs, self.function) {
            (self.run)(self.function, panel.count, input, panel.outputs);
            return Ok(());
        }
        panel.each(&mut |number, inputs, outputs| self.lane(number, inputs, outputs))
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["scan"]
    }
}

/// A number with the running results that it is computed in.
trait Number: Pod {
    /// A sum in more digits.
    type Sum: Copy;

    const NONE: Self::Sum;
    const ONE: Self;

    fn plus(sum: Self::Sum, x: Self) -> Self::Sum;
    fn rounded(sum: Self::Sum) -> Self;
    fn times(self, x: Self) -> Self;
    /// The extremes of `from` so far and their positions; nothing for a type without order.
    fn extremes(_: &[Self], _: &mut [Self], _: &mut [i64], _is_greatest: bool, _forgets: bool) {}
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Number for $type {
            type Sum = f64;

            const NONE: f64 = 0.0;
            const ONE: Self = 1.0;

            fn plus(sum: f64, x: Self) -> f64 { sum + f64::from(x) }
            fn rounded(sum: f64) -> Self { sum as $type }
            fn times(self, x: Self) -> Self { self * x }

            fn extremes(from: &[Self], to: &mut [Self], positions: &mut [i64], is_greatest: bool, forgets: bool) {
                extremes(from, to, positions, is_greatest, forgets);
            }
        }
    )*};
}
floats! { f32 f64 }

impl Number for i64 {
    type Sum = i64;

    const NONE: i64 = 0;
    const ONE: i64 = 1;

    fn plus(sum: i64, x: i64) -> i64 {
        sum.wrapping_add(x)
    }
    fn rounded(sum: i64) -> i64 {
        sum
    }
    fn times(self, x: i64) -> i64 {
        self.wrapping_mul(x)
    }
    fn extremes(from: &[i64], to: &mut [i64], positions: &mut [i64], is_greatest: bool, forgets: bool) {
        extremes(from, to, positions, is_greatest, forgets);
    }
}

impl Number for Complex64 {
    type Sum = Complex64;

    const NONE: Complex64 = Complex64::ZERO;
    const ONE: Complex64 = Complex64::ONE;

    fn plus(sum: Complex64, x: Complex64) -> Complex64 {
        sum + x
    }
    fn rounded(sum: Complex64) -> Complex64 {
        sum
    }
    fn times(self, x: Complex64) -> Complex64 {
        self * x
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_f32_avx2(function: Function, count: usize, from: &[u8], outputs: &mut [&mut [u8]]) {
    run::<f32>(function, count, from, outputs);
}

#[inline(always)]
fn run<T: Number>(function: Function, count: usize, from: &[u8], outputs: &mut [&mut [u8]]) {
    let [to, positions @ ..] = outputs else { return };
    let (Ok(from), Ok(to)) = (try_cast_slice::<u8, T>(from), try_cast_slice_mut::<u8, T>(to)) else {
        return debug_assert!(false, "lanes are aligned");
    };
    match function {
        Function::Sum(direction) => {
            let len = (from.len() / count.max(1)).max(1);
            // A sum has to wait for the one before, so that some lanes are summed up beside each other.
            let (fours, rest) = match size_of::<T>() {
                4 => from.split_at(from.len() - from.len() % (4 * len)),
                _ => (&[][..], from),
            };
            let (to_fours, to_rest) = to.split_at_mut(fours.len());
            for (from, to) in fours.chunks_exact(4 * len).zip(to_fours.chunks_exact_mut(4 * len)) {
                sums::<T, 4>(len, from, to, direction);
            }
            for (from, to) in rest.chunks_exact(len).zip(to_rest.chunks_exact_mut(len)) {
                sums::<T, 1>(len, from, to, direction);
            }
        }
        Function::Product => {
            let mut product = T::ONE;
            for (to, x) in to.iter_mut().zip(from) {
                product = product.times(*x);
                *to = product;
            }
        }
        Function::Extreme { is_greatest, forgets } => {
            let positions = positions.first_mut().map(|positions| try_cast_slice_mut::<u8, i64>(positions));
            if let Some(Ok(positions)) = positions {
                T::extremes(from, to, positions, is_greatest, forgets);
            }
        }
    }
}

/// Adds an element to a running sum, and returns the sum with it or, if it is exclusive, without it.
#[inline(always)]
fn next<T: Number>(sum: &mut T::Sum, x: T, is_exclusive: bool) -> T {
    let before = *sum;
    *sum = T::plus(before, x);
    T::rounded(if is_exclusive { before } else { *sum })
}

/// Elements of a lane that are added up before those of the next lane.
const PIECE: usize = 8;

/// The running sums of `N` lanes, one behind the other.
#[inline(always)]
fn sums<T: Number, const N: usize>(
    len: usize,
    from: &[T],
    to: &mut [T],
    Direction { is_exclusive, is_reverse }: Direction,
) {
    let mut sums = [T::NONE; N];
    // Pieces of a length that the compiler knows have no checks of indices.
    let pieces = len / PIECE;
    for piece in 0..pieces {
        let first = if is_reverse { len - (piece + 1) * PIECE } else { piece * PIECE };
        let mut read = [[T::zeroed(); PIECE]; N];
        let mut made = [[T::zeroed(); PIECE]; N];
        for (lane, read) in read.iter_mut().enumerate() {
            read.copy_from_slice(&from[lane * len + first..][..PIECE]);
        }
        for step in 0..PIECE {
            let index = if is_reverse { PIECE - 1 - step } else { step };
            for lane in 0..N {
                made[lane][index] = next(&mut sums[lane], read[lane][index], is_exclusive);
            }
        }
        for (lane, made) in made.iter().enumerate() {
            to[lane * len + first..][..PIECE].copy_from_slice(made);
        }
    }
    for step in pieces * PIECE..len {
        let index = if is_reverse { len - 1 - step } else { step };
        for (lane, sum) in sums.iter_mut().enumerate() {
            to[lane * len + index] = next(sum, from[lane * len + index], is_exclusive);
        }
    }
}

/// An element equal to the best one replaces it. A NaN replaces numbers and stays, unless the scan `forgets` it at the next
/// element.
fn extremes<T: Copy + PartialOrd>(
    from: &[T],
    to: &mut [T],
    positions: &mut [i64],
    is_greatest: bool,
    forgets: bool,
) {
    let Some(first) = from.first() else { return };
    let is_nan = |x: T| x.partial_cmp(&x).is_none();
    let (mut best, mut at) = (*first, 0);
    for (index, ((to, position), x)) in to.iter_mut().zip(positions).zip(from).enumerate() {
        let wins = if is_greatest { *x >= best } else { *x <= best };
        if wins || is_nan(*x) || forgets && is_nan(best) {
            (best, at) = (*x, index as i64);
        }
        (*to, *position) = (best, at);
    }
}
