//! Softmax along a lane, its logarithm, and their gradients.

use aclnn_numerics::DType;
use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

use crate::axis::normalization::{ShortSum, halved, pair, sum};
use crate::functions::halves::{Halves, Short};
use crate::functions::special::{native, single};
use crate::views::instructions::{for_wide_instructions, stored};
use crate::{LaneBody, Panel, Result};

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
const PIECE: usize = 256;

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
    const STRANDS: usize = 64;
    let (blocks, rest) = from.as_chunks::<STRANDS>();
    let mut strands = [f32::NEG_INFINITY; STRANDS];
    for block in blocks {
        for index in 0..STRANDS {
            strands[index] = if block[index] > strands[index] { block[index] } else { strands[index] };
        }
    }
    for (strand, x) in strands.iter_mut().zip(rest) {
        *strand = if *x > *strand { *x } else { *strand };
    }
    halved(stored(strands), |a, b| if b > a { b } else { a })
}

/// Writes the powers of e of the distances from the greatest element, and returns their sum, which is NaN if there is a NaN.
#[inline(always)]
fn powers(from: &[f32], greatest: f32, to: &mut [f32]) -> f64 {
    let mut strands = [0.0_f64; STRANDS];
    for (from, to) in from.chunks(PIECE).zip(to.chunks_mut(PIECE)) {
        for (to, x) in to.iter_mut().zip(from) {
            *to = native::exp_of_distance(*x - greatest);
        }
        let (blocks, rest) = to.as_chunks::<STRANDS>();
        for block in blocks {
            for index in 0..STRANDS {
                strands[index] += f64::from(block[index]);
            }
        }
        for (strand, power) in strands.iter_mut().zip(rest) {
            *strand += f64::from(*power);
        }
    }
    halved(stored(strands), |a, b| a + b)
}

/// The sum of [`powers`].
#[inline(always)]
fn sum_of_powers(from: &[f32], greatest: f32) -> f64 {
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

/// The gradient of the softmax by its results, or by their logarithms. Inputs: gradients, results.
#[derive(Clone, Copy)]
pub struct Gradient {
    /// The gradient is that of the logarithm of softmax.
    is_logarithm: bool,
    /// The results are rounded to 16 bits.
    is_short: bool,
    /// Computes a lane of elements of 16 bits; other elements are f32.
    halves: Option<Halves>,
}

impl Gradient {
    /// The gradient of elements of a type. Those of 16 bits are taken as they are stored, if they may and the processor has
    /// instructions for that.
    pub fn new(is_logarithm: bool, dtype: DType, may_be_stored: bool) -> Self {
        let halves = if may_be_stored { short(is_logarithm, dtype) } else { None };
        Self { is_logarithm, is_short: matches!(dtype, DType::F16 | DType::BF16), halves }
    }

    /// Returns whether elements are taken as they are stored.
    pub fn takes_halves(&self) -> bool {
        self.halves.is_some()
    }

    fn lanes(&self, count: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) {
        let ([grads, results], [to]) = (inputs, outputs) else { return };
        let len = (grads.len() / count.max(1)).max(1);
        let Some(halves) = self.halves else {
            return gradients(len, numbers(grads), numbers(results), numbers_mut(to), *self);
        };
        let lanes = grads.chunks_exact(len).zip(results.chunks_exact(len)).zip(to.chunks_exact_mut(len));
        for ((grads, results), to) in lanes {
            halves(&[Short::Halves(grads), Short::Halves(results)], to);
        }
    }
}

impl LaneBody for Gradient {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        self.lanes(1, inputs, outputs);
        Ok(())
    }

    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        self.lanes(panel.count, panel.inputs, panel.outputs);
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["gradient"]
    }
}

for_wide_instructions! {
    fn gradients(len: usize, grads: &[f32], results: &[f32], to: &mut [f32], of: Gradient) {
        let len = (len / size_of::<f32>()).max(1);
        let lanes = grads.chunks_exact(len).zip(results.chunks_exact(len)).zip(to.chunks_exact_mut(len));
        for ((grads, results), to) in lanes {
            if of.is_short {
                let (mut sum, mut last) = (ShortSum::new(), [[0.0; ShortSum::STRANDS]; 2]);
                for (g, y) in grads.chunks(ShortSum::STRANDS).zip(results.chunks(ShortSum::STRANDS)) {
                    for (last, own) in last.iter_mut().zip([g, y]) {
                        last[..own.len()].copy_from_slice(own);
                    }
                    sum.add(g.len(), last.each_ref(), |g, y, sum| term(g, y, sum, of.is_logarithm));
                }
                let sum = pair(sum.total());
                for ((to, g), y) in to.iter_mut().zip(grads).zip(results) {
                    *to = short_gradient(*g, *y, sum, of.is_logarithm);
                }
                continue;
            }
            if !of.is_logarithm {
                // Both terms of the difference may be almost equal.
                let (high, low) = pair(sum([grads, results], |[g, y]| g * y));
                for ((to, g), y) in to.iter_mut().zip(grads).zip(results) {
                    *to = *y * ((*g - high) - low);
                }
                continue;
            }
            let sum = sum([grads], |[g]| g);
            // Both terms may be almost equal, so that a power in f32 has too few digits.
            for ((to, g), y) in to.iter_mut().zip(grads).zip(results) {
                *to = single::exp_nearly(f64::from(*y)).mul_add(-sum, f64::from(*g)) as f32;
            }
        }
    }
}

/// Adds what a gradient and a result are in the sum of a lane.
#[inline(always)]
fn term(g: f32, y: f32, sum: f32, is_logarithm: bool) -> f32 {
    if is_logarithm { sum + g } else { g.mul_add(y, sum) }
}

/// A gradient that is rounded to 16 bits, by the sum of the lane and the part that it lacks.
#[inline(always)]
fn short_gradient(g: f32, y: f32, (sum, lost): (f32, f32), is_logarithm: bool) -> f32 {
    if is_logarithm { native::less_exp(g, y, sum) } else { y * ((g - sum) - lost) }
}

/// Returns the loop over a lane of elements of 16 bits, with the bits of [`gradients`].
#[cfg(target_arch = "x86_64")]
fn short(is_logarithm: bool, dtype: DType) -> Option<Halves> {
    use crate::functions::halves::vectors::{Half, Loop, Singles, TOGETHER, compiled, narrow, widen};

    struct Lane<const IS_LOGARITHM: bool>;

    impl<const IS_LOGARITHM: bool> Loop for Lane<IS_LOGARITHM> {
        const HAS_AVX2: bool = false;

        #[inline(always)]
        fn run<H: Half>(operands: &[Short<'_>], out: &mut [u8]) {
            const { assert!(TOGETHER == ShortSum::STRANDS) };
            let [Short::Halves(grads), Short::Halves(results)] = operands else { return };
            let (grads, results) = (numbers::<u16>(grads), numbers::<u16>(results));
            let [mut g, mut y, mut made] = [Singles([0.0; TOGETHER]); 3];
            let (mut sum, mut last) = (ShortSum::new(), [0; TOGETHER]);
            for (grads, results) in grads.chunks(TOGETHER).zip(results.chunks(TOGETHER)) {
                widen::<H>(grads, &mut g, &mut last);
                if !IS_LOGARITHM {
                    widen::<H>(results, &mut y, &mut last);
                }
                sum.add(grads.len(), [&g.0, &y.0], |g, y, sum| term(g, y, sum, IS_LOGARITHM));
            }
            let sum = pair(sum.total());
            let pieces = grads.chunks(TOGETHER).zip(results.chunks(TOGETHER));
            for ((grads, results), to) in pieces.zip(numbers_mut::<u16>(out).chunks_mut(TOGETHER)) {
                widen::<H>(grads, &mut g, &mut last);
                widen::<H>(results, &mut y, &mut last);
                for (to, (g, y)) in made.0.iter_mut().zip(g.0.iter().zip(&y.0)) {
                    *to = short_gradient(*g, *y, sum, IS_LOGARITHM);
                }
                narrow::<H>(&made, to, &mut last);
            }
        }
    }

    match is_logarithm {
        true => compiled::<Lane<true>>(dtype),
        false => compiled::<Lane<false>>(dtype),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn short(_: bool, _: DType) -> Option<Halves> {
    None
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::f16;
    use aclnn_numerics::product::Product;

    use super::*;
    use crate::{Block, Choice, Conversions, choose};

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
                        super::gradients(4 * len, &from, &results, &mut to, of);
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

    /// Expected is the loop of f32 with the baseline's instructions, and the roundings of the types.
    #[test]
    fn gradients_of_16_bits_have_the_bits_of_those_that_are_converted() {
        for dtype in [DType::F16, DType::BF16] {
            let [widen, narrow] = [[dtype, DType::F32], [DType::F32, dtype]]
                .map(|chain| Conversions::through(Product::Ascend910B, &chain).unwrap());
            for len in [1, 2, 63, 64, 65, 500, 513, 2000] {
                let halves = |seed: usize| -> Vec<u16> {
                    let number = |index: usize| f16::from_f32((index * seed % 101) as f32 * 0.07 - 4.0);
                    (0..2 * len).map(|index| number(index).to_bits()).collect()
                };
                let operands = [37, 53].map(halves);
                let wide = operands.each_ref().map(|halves| {
                    let mut wide = vec![0_f32; halves.len()];
                    let (from, to) = (bytemuck::cast_slice(halves), bytemuck::cast_slice_mut(&mut wide));
                    widen.apply_all(halves.len(), from, to, &mut Block::new());
                    wide
                });
                for is_logarithm in [false, true] {
                    let before = choose(Choice { instructions: Some(0), block: None });
                    let (mut made, mut expected) = (vec![0_f32; 2 * len], vec![0_u16; 2 * len]);
                    let of = Gradient::new(is_logarithm, dtype, true);
                    gradients(4 * len, &wide[0], &wide[1], &mut made, of);
                    choose(before);
                    let to = bytemuck::cast_slice_mut(&mut expected);
                    narrow.apply_all(2 * len, bytemuck::cast_slice(&made), to, &mut Block::new());
                    for set in 1..4 {
                        let before = choose(Choice { instructions: Some(set), block: None });
                        let of = Gradient::new(is_logarithm, dtype, true);
                        choose(before);
                        let mut got = vec![0_u16; 2 * len];
                        let inputs = operands.each_ref().map(|halves| bytemuck::cast_slice(halves));
                        if of.takes_halves() {
                            of.lanes(2, &inputs, &mut [bytemuck::cast_slice_mut(&mut got)]);
                            assert_eq!(got, expected, "{dtype} {len} {is_logarithm} {set}");
                        }
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
