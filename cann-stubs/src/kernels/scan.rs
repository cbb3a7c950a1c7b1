//! Functions of all elements of a lane with a result for each: running sums, products and extremes, softmax.

use aclnn_numerics::DType;
use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};
use num_complex::Complex64;

#[cfg(target_arch = "x86_64")]
use super::instructions::Instructions;
use super::special::single;
use super::{LaneBody, LaneFunction};
use crate::status::Result;

/// What is computed along a lane. Positions are i64.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Function {
    Sum(Direction),
    Product,
    /// The greatest or the smallest element so far, and the position of the last of them.
    Extreme {
        is_greatest: bool,
        forgets: bool,
    },
    Softmax,
    LogSoftmax,
}

/// Which elements a sum has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Direction {
    /// All before the element itself.
    pub(crate) is_exclusive: bool,
    /// From the last element on.
    pub(crate) is_reverse: bool,
}

/// The type that elements of type `dtype` are computed in.
pub(crate) fn compute_type(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        DType::C64 => DType::C128,
        other if other.is_integer() || other == DType::Bool => DType::I64,
        other => other,
    }
}

impl Function {
    /// The body over elements of one of the types that [`compute_type`] names.
    pub(crate) fn body(self, compute: DType) -> Option<Scan> {
        let run: Run = match compute {
            #[cfg(target_arch = "x86_64")]
            DType::F32 if Instructions::chosen() != Instructions::Baseline => |function, from, outputs| {
                // SAFETY: only `Instructions::of_this_processor` makes other values, where the processor has them.
                unsafe { run_f32_avx2(function, from, outputs) }
            },
            DType::F32 => run::<f32>,
            DType::F64 => run::<f64>,
            DType::I64 => run::<i64>,
            DType::C128 => run::<Complex64>,
            _ => return None,
        };
        Some(Scan { function: self, run })
    }
}

/// Computes a lane.
type Run = fn(Function, &[u8], &mut [&mut [u8]]);

/// A function over elements of one type.
pub(crate) struct Scan {
    function: Function,
    run: Run,
}

impl LaneBody for Scan {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        if let [input] = inputs {
            (self.run)(self.function, input, outputs);
        }
        Ok(())
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
    /// The softmax of `from`, or its logarithm; nothing for a type that has none.
    fn softmax(_: &[Self], _: &mut [Self], _is_logarithm: bool) {}
}

macro_rules! floats {
    ($($type:ty: $exp:path;)*) => {$(
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

            #[inline(always)]
            fn softmax(from: &[Self], to: &mut [Self], is_logarithm: bool) {
                let greatest = from.iter().fold(<$type>::NEG_INFINITY, |a, b| if *b > a || b.is_nan() { *b } else { a });
                let greatest = f64::from(greatest);
                let sum = exponentials(from, to, |x| $exp(f64::from(x) - greatest) as $type, |e| f64::from(e));
                let logarithm = sum.ln();
                for (to, x) in to.iter_mut().zip(from) {
                    let result = if is_logarithm { f64::from(*x) - greatest - logarithm } else { f64::from(*to) / sum };
                    *to = result as $type;
                }
            }
        }
    )*};
}
floats! {
    f32: single::exp;
    f64: f64::exp;
}

/// Writes a function of each element, and returns the sum of the results: in lanes and in pieces, so that its error grows
/// slowly with the count, and that the loops become vectors.
#[inline(always)]
fn exponentials<T: Copy>(
    from: &[T],
    to: &mut [T],
    function: impl Fn(T) -> T,
    widened: impl Fn(T) -> f64,
) -> f64 {
    const PIECE: usize = 512;
    const LANES: usize = 8;
    let mut sum = 0.0;
    for (from, to) in from.chunks(PIECE).zip(to.chunks_mut(PIECE)) {
        to.iter_mut().zip(from).for_each(|(to, x)| *to = function(*x));
        let (whole, rest) = to.as_chunks::<LANES>();
        let mut lanes = [0.0; LANES];
        for elements in whole {
            lanes.iter_mut().zip(elements).for_each(|(lane, e)| *lane += widened(*e));
        }
        sum += lanes.iter().sum::<f64>() + rest.iter().map(|e| widened(*e)).sum::<f64>();
    }
    sum
}

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

/// The gradient of the softmax by its results, or by their logarithms. Inputs: gradients, results; all are f32.
pub(crate) fn gradient(is_logarithm: bool) -> impl LaneBody {
    LaneFunction::new("gradient", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([grads, results], [to]) = (inputs, outputs) else { return Ok(()) };
        let numbers = |lane| try_cast_slice::<u8, f32>(lane).unwrap_or_default();
        let (grads, results) = (numbers(grads), numbers(results));
        let to = try_cast_slice_mut::<u8, f32>(to).unwrap_or_default();
        let pairs = grads.iter().zip(results).map(|(g, y)| (f64::from(*g), f64::from(*y)));
        let sum: f64 = pairs.clone().map(|(g, y)| if is_logarithm { g } else { g * y }).sum();
        for (to, (g, y)) in to.iter_mut().zip(pairs) {
            *to = if is_logarithm { g - single::exp(y) * sum } else { y * (g - sum) } as f32;
        }
        Ok(())
    })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_f32_avx2(function: Function, from: &[u8], outputs: &mut [&mut [u8]]) {
    run::<f32>(function, from, outputs);
}

#[inline(always)]
fn run<T: Number>(function: Function, from: &[u8], outputs: &mut [&mut [u8]]) {
    let [to, positions @ ..] = outputs else { return };
    let (Ok(from), Ok(to)) = (try_cast_slice::<u8, T>(from), try_cast_slice_mut::<u8, T>(to)) else {
        return debug_assert!(false, "lanes are aligned");
    };
    match function {
        Function::Sum(direction) => sums(from, to, direction),
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
        Function::Softmax => T::softmax(from, to, false),
        Function::LogSoftmax => T::softmax(from, to, true),
    }
}

fn sums<T: Number>(from: &[T], to: &mut [T], Direction { is_exclusive, is_reverse }: Direction) {
    let mut sum = T::NONE;
    let mut add = |(to, x): (&mut T, &T)| {
        let before = sum;
        sum = T::plus(sum, *x);
        *to = T::rounded(if is_exclusive { before } else { sum });
    };
    match is_reverse {
        false => to.iter_mut().zip(from).for_each(&mut add),
        true => to.iter_mut().zip(from).rev().for_each(&mut add),
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
