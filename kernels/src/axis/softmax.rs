//! Softmax along a lane, its logarithm, and their gradients.

use aclnn_numerics::DType;
use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

use crate::functions::special::single;
#[cfg(target_arch = "x86_64")]
use crate::views::instructions::Instructions;
use crate::{LaneBody, LaneFunction, Result};

/// Softmax of the elements of a lane, or its logarithm.
pub struct Softmax {
    is_logarithm: bool,
    run: fn(&[u8], &mut [u8], bool),
}

impl Softmax {
    /// Returns the body over elements of a type; nothing for types other than f32 and f64.
    pub fn new(compute: DType, is_logarithm: bool) -> Option<Self> {
        let run: fn(&[u8], &mut [u8], bool) = match compute {
            #[cfg(target_arch = "x86_64")]
            DType::F32 if Instructions::chosen() != Instructions::Baseline => |from, to, is_logarithm| {
                // SAFETY: only `Instructions::of_this_processor` makes other values, where the processor has them.
                unsafe { run_f32_avx2(from, to, is_logarithm) }
            },
            DType::F32 => run::<f32>,
            DType::F64 => run::<f64>,
            _ => return None,
        };
        Some(Self { is_logarithm, run })
    }
}

impl LaneBody for Softmax {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        if let ([from], [to]) = (inputs, outputs) {
            (self.run)(from, to, self.is_logarithm);
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["softmax"]
    }
}

/// A number of which there are exponentials.
trait Exponential: Pod + PartialOrd {
    const LEAST: Self;

    fn exp(x: f64) -> f64;
    fn narrow(x: f64) -> Self;
    fn widen(self) -> f64;
}

macro_rules! exponentials {
    ($($type:ty: $exp:path;)*) => {$(
        impl Exponential for $type {
            const LEAST: Self = <$type>::NEG_INFINITY;

            #[inline(always)]
            fn exp(x: f64) -> f64 { $exp(x) }
            #[inline(always)]
            fn narrow(x: f64) -> Self { x as $type }
            #[inline(always)]
            fn widen(self) -> f64 { f64::from(self) }
        }
    )*};
}
exponentials! {
    f32: single::exp;
    f64: f64::exp;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_f32_avx2(from: &[u8], to: &mut [u8], is_logarithm: bool) {
    run::<f32>(from, to, is_logarithm);
}

#[inline(always)]
fn run<T: Exponential>(from: &[u8], to: &mut [u8], is_logarithm: bool) {
    let (Ok(from), Ok(to)) = (try_cast_slice::<u8, T>(from), try_cast_slice_mut::<u8, T>(to)) else {
        return debug_assert!(false, "lanes are aligned");
    };
    // A NaN is not equal to itself.
    let greater = |a: T, b: &T| if *b > a || b.partial_cmp(b).is_none() { *b } else { a };
    let greatest = from.iter().fold(T::LEAST, greater).widen();
    let sum = exponentials(from, to, |x| T::narrow(T::exp(x.widen() - greatest)));
    let logarithm = sum.ln();
    for (to, x) in to.iter_mut().zip(from) {
        *to = T::narrow(if is_logarithm { x.widen() - greatest - logarithm } else { to.widen() / sum });
    }
}

/// Writes a function of each element, and returns the sum of the results: in lanes and in pieces, so that its error grows
/// slowly with the count, and that the loops become vectors.
#[inline(always)]
fn exponentials<T: Exponential>(from: &[T], to: &mut [T], function: impl Fn(T) -> T) -> f64 {
    const PIECE: usize = 512;
    const LANES: usize = 8;
    let mut sum = 0.0;
    for (from, to) in from.chunks(PIECE).zip(to.chunks_mut(PIECE)) {
        to.iter_mut().zip(from).for_each(|(to, x)| *to = function(*x));
        let (whole, rest) = to.as_chunks::<LANES>();
        let mut lanes = [0.0; LANES];
        for elements in whole {
            lanes.iter_mut().zip(elements).for_each(|(lane, e)| *lane += e.widen());
        }
        sum += lanes.iter().sum::<f64>() + rest.iter().map(|e| e.widen()).sum::<f64>();
    }
    sum
}

/// Computes the gradient of the softmax by its results, or by their logarithms. Inputs: gradients, results; all are
/// f32.
pub fn gradient(is_logarithm: bool) -> LaneFunction {
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
