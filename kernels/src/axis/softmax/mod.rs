//! Softmax along a lane, its logarithm, and their gradients.

mod gradient;
mod masked;

use aclnn_numerics::DType;
use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

use crate::axis::normalization::{halved, pair};
use crate::functions::special::native;
use crate::views::instructions::{for_wide_instructions, stored};
use crate::{LaneBody, Panel, Result};

pub use gradient::Gradient;
pub use masked::{Mask, biased_softmax, masked_softmax, masked_softmax_gradients, sum_of_exponentials};

/// Softmax of the elements of a lane, or its logarithm.
pub struct Softmax {
    is_logarithm: bool,
    /// Computes lanes of so many elements.
    run: fn(usize, &[u8], &mut [u8], bool),
}

impl Softmax {
    /// Returns the body over elements of a type; nothing for types other than f32 and f64.
    pub fn new(compute: DType, is_logarithm: bool) -> Option<Self> {
        let run: fn(usize, &[u8], &mut [u8], bool) = match compute {
            DType::F32 => {
                |len, from, to, is_logarithm| of_f32(len, numbers(from), numbers_mut(to), is_logarithm)
            }
            DType::F64 => {
                |len, from, to, is_logarithm| of_f64(len, numbers(from), numbers_mut(to), is_logarithm)
            }
            _ => return None,
        };
        Some(Self { is_logarithm, run })
    }
}

impl Softmax {
    fn lanes(&self, count: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) {
        if let ([from], [to]) = (inputs, outputs) {
            (self.run)(from.len() / count.max(1), from, to, self.is_logarithm);
        }
    }
}

impl LaneBody for Softmax {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        self.lanes(1, inputs, outputs);
        Ok(())
    }

    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        self.lanes(panel.count, panel.inputs, panel.outputs);
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["softmax"]
    }
}

fn numbers<T: Pod>(lanes: &[u8]) -> &[T] {
    try_cast_slice(lanes).unwrap_or_default()
}

fn numbers_mut<T: Pod>(lanes: &mut [u8]) -> &mut [T] {
    try_cast_slice_mut(lanes).unwrap_or_default()
}

/// Elements whose powers are computed before they are summed up, by loops of their own: the compiler makes vectors of a loop
/// over one type.
const BLOCK: usize = 4 * STRANDS;

/// Elements of short lanes that are computed together: they stay in the first-level cache.
const TOGETHER: usize = 2048;

/// The strands that a sum has, so that it becomes vectors.
const STRANDS: usize = 16;

for_wide_instructions! {
    /// Computes lanes of f32: their exponentials in f32, and the sum of these in f64. Each step is done for some short lanes
    /// before the next one, which has to wait for its result.
    fn of_f32(len: usize, from: &[f32], to: &mut [f32], is_logarithm: bool) {
        const MOST: usize = 16;
        let len = (len / size_of::<f32>()).max(1);
        let together = (TOGETHER / len).clamp(1, MOST) * len;
        for (from, to) in from.chunks(together).zip(to.chunks_mut(together)) {
            let (mut most, mut sums) = ([0.0; MOST], [0.0; MOST]);
            for (most, from) in most.iter_mut().zip(from.chunks_exact(len)) {
                *most = greatest(from);
            }
            if is_logarithm {
                for ((sum, from), most) in sums.iter_mut().zip(from.chunks_exact(len)).zip(most) {
                    *sum = sum_of_powers(from, most).ln();
                }
                let lanes = from.chunks_exact(len).zip(to.chunks_exact_mut(len));
                for (((from, to), most), sum) in lanes.zip(most).zip(sums) {
                    logarithms(from, most, sum, to);
                }
                continue;
            }
            let lanes = from.chunks_exact(len).zip(to.chunks_exact_mut(len));
            for (((from, to), most), sum) in lanes.zip(most).zip(&mut sums) {
                *sum = 1.0 / powers(from, most, to);
            }
            for (to, inverse) in to.chunks_exact_mut(len).zip(sums) {
                let (high, low) = pair(inverse);
                for to in to {
                    *to = to.mul_add(high, *to * low);
                }
            }
        }
    }

    /// Writes the logarithms of the softmax of a lane, and returns the greatest element and the logarithm of the sum of the
    /// powers relative to it.
    pub(crate) fn log_softmax(from: &[f32], to: &mut [f32]) -> (f64, f64) {
        let greatest = greatest(from);
        let logarithm = sum_of_powers(from, greatest).ln();
        logarithms(from, greatest, logarithm, to);
        (greatest.into(), logarithm)
    }
}

/// Writes the logarithms, within two units of the last place: neither distance is positive, so that no digits are lost.
#[inline(always)]
fn logarithms(from: &[f32], greatest: f32, logarithm: f64, to: &mut [f32]) {
    let (high, low) = pair(logarithm);
    for (to, x) in to.iter_mut().zip(from) {
        *to = (x - greatest - low) - high;
    }
}

/// Returns the greatest element; a NaN is none.
#[inline(always)]
fn greatest(from: &[f32]) -> f32 {
    // In this order a comparison with NaN keeps the other number.
    let of = |a: f32, b: f32| if b > a { b } else { a };
    let (blocks, rest) = from.as_chunks::<BLOCK>();
    let mut strands = [f32::NEG_INFINITY; BLOCK];
    for block in blocks {
        for index in 0..BLOCK {
            strands[index] = of(strands[index], block[index]);
        }
    }
    let mut few = [0.0; STRANDS];
    for (index, few) in few.iter_mut().enumerate() {
        let [a, b, c, d] = quarters(&strands, index);
        *few = of(of(a, b), of(c, d));
    }
    for rest in rest.chunks(STRANDS) {
        for (few, x) in few.iter_mut().zip(rest) {
            *few = of(*few, *x);
        }
    }
    halved(stored(few), of)
}

/// Returns the numbers of a block that one strand is made of.
#[inline(always)]
fn quarters(block: &[f32; BLOCK], index: usize) -> [f32; 4] {
    [0, 1, 2, 3].map(|quarter| block[quarter * STRANDS + index])
}

/// Writes the powers of e of the distances from the greatest element, and returns their sum, which is NaN if there is a NaN.
#[inline(always)]
fn powers(from: &[f32], greatest: f32, to: &mut [f32]) -> f64 {
    let mut strands = [0.0_f64; STRANDS];
    let ((blocks, rest), (to, to_rest)) = (from.as_chunks::<BLOCK>(), to.as_chunks_mut::<BLOCK>());
    for (from, to) in blocks.iter().zip(to) {
        for index in 0..BLOCK {
            to[index] = native::exp_of_distance(from[index] - greatest);
        }
        for (index, strand) in strands.iter_mut().enumerate() {
            let [a, b, c, d] = quarters(to, index).map(f64::from);
            *strand += (a + b) + (c + d);
        }
    }
    for (to, x) in to_rest.iter_mut().zip(rest) {
        *to = native::exp_of_distance(*x - greatest);
    }
    for powers in to_rest.chunks(STRANDS) {
        for (strand, power) in strands.iter_mut().zip(powers) {
            *strand += f64::from(*power);
        }
    }
    halved(stored(strands), |a, b| a + b)
}

/// The sum of [`powers`].
#[inline(always)]
fn sum_of_powers(from: &[f32], greatest: f32) -> f64 {
    const PIECE: usize = 4 * BLOCK;
    let (mut piece, mut sum) = ([0.0; PIECE], 0.0);
    // A loop, since a closure is not always compiled for the instructions of a function.
    for from in from.chunks(PIECE) {
        sum += powers(from, greatest, &mut piece[..from.len()]);
    }
    sum
}

fn of_f64(len: usize, from: &[f64], to: &mut [f64], is_logarithm: bool) {
    let len = (len / size_of::<f64>()).max(1);
    for (from, to) in from.chunks_exact(len).zip(to.chunks_exact_mut(len)) {
        let greatest = from.iter().fold(f64::NEG_INFINITY, |a, b| if *b > a || b.is_nan() { *b } else { a });
        let sum = exponentials(from, to, |x| (x - greatest).exp());
        let logarithm = sum.ln();
        for (to, x) in to.iter_mut().zip(from) {
            *to = if is_logarithm { x - greatest - logarithm } else { *to / sum };
        }
    }
}

/// Writes a function of each element, and returns the sum of the results: in lanes and in pieces, so that its error grows
/// slowly with the count.
fn exponentials(from: &[f64], to: &mut [f64], function: impl Fn(f64) -> f64) -> f64 {
    const PIECE: usize = 512;
    let mut sum = 0.0;
    for (from, to) in from.chunks(PIECE).zip(to.chunks_mut(PIECE)) {
        to.iter_mut().zip(from).for_each(|(to, x)| *to = function(*x));
        let (whole, rest) = to.as_chunks::<STRANDS>();
        let mut lanes = [0.0; STRANDS];
        for elements in whole {
            lanes.iter_mut().zip(elements).for_each(|(lane, e)| *lane += e);
        }
        sum += lanes.iter().sum::<f64>() + rest.iter().sum::<f64>();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, choose};

    /// Expected is the softmax in f64, by the functions of the standard library.
    #[test]
    fn lanes_of_every_length_are_near_those_in_f64_and_the_same_with_all_instructions() {
        for len in [1, 2, 7, 8, 9, 31, 32, 40, 67, 500] {
            let from: Vec<f32> = (0..3 * len).map(|index| (index * 37 % 101) as f32 * 0.31 - 15.0).collect();
            for is_logarithm in [false, true] {
                let body = Softmax::new(DType::F32, is_logarithm).unwrap();
                let computed = |instructions| {
                    let before = choose(Choice { instructions: Some(instructions), block: None });
                    let mut to = vec![0_f32; from.len()];
                    body.lanes(3, &[bytemuck::cast_slice(&from)], &mut [bytemuck::cast_slice_mut(&mut to)]);
                    choose(before);
                    to
                };
                let results = computed(0);
                (1..4).for_each(|set| assert_eq!(results, computed(set), "{len} {is_logarithm} {set}"));
                for is_short in [false, true] {
                    let gradients = |instructions| {
                        let before = choose(Choice { instructions: Some(instructions), block: None });
                        let mut to = vec![0_f32; from.len()];
                        let of = Gradient { is_logarithm, is_short, halves: None };
                        let inputs = [&from, &results].map(|numbers| bytemuck::cast_slice(numbers));
                        of.lanes(3, &inputs, &mut [bytemuck::cast_slice_mut(&mut to)]);
                        choose(before);
                        to
                    };
                    let expected = gradients(0);
                    (1..4).for_each(|set| {
                        assert_eq!(expected, gradients(set), "{len} {is_logarithm} {is_short} {set}")
                    });
                }
                for (from, results) in from.chunks(len).zip(results.chunks(len)) {
                    let sum: f64 = from.iter().map(|x| f64::from(*x).exp()).sum();
                    for (x, result) in from.iter().zip(results) {
                        let expected = f64::from(*x).exp() / sum;
                        let (expected, limit) = match is_logarithm {
                            true => (expected.ln(), 4e-6),
                            false => (expected, 4e-6 * expected),
                        };
                        assert!(
                            (f64::from(*result) - expected).abs() <= limit,
                            "{len}: {result}, {expected}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn lanes_with_nan_or_infinity_or_nothing_finite_are_nan() {
        // The ninth element is one of the rest behind the vectors.
        for (special, place) in [(f32::NAN, 1), (f32::NAN, 8), (f32::INFINITY, 1), (f32::INFINITY, 8)] {
            let mut from = [1.0, 0.5, 2.0, 3.0, -1.0, 0.0, 4.0, 5.0, 6.0];
            from[place] = special;
            for is_logarithm in [false, true] {
                let mut to = [0.0; 9];
                of_f32(9 * 4, &from, &mut to, is_logarithm);
                assert!(to.iter().all(|x| x.is_nan()), "{special} at {place}: {to:?}");
            }
        }
        let mut to = [0.0; 5];
        of_f32(5 * 4, &[f32::NEG_INFINITY; 5], &mut to, false);
        assert!(to.iter().all(|x| x.is_nan()));
        of_f32(5 * 4, &[f32::NEG_INFINITY, 0.0, 0.0, f32::NEG_INFINITY, -200.0], &mut to, false);
        assert_eq!(to, [0.0, 0.5, 0.5, 0.0, 0.0]);
    }
}
