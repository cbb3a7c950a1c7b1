//! The gradient of the softmax and of its logarithm.

use aclnn_numerics::DType;

use super::{numbers, numbers_mut};
use crate::axis::normalization::{halved, pair, sum};
use crate::functions::halves::{Halves, Short};
use crate::functions::special::{native, single};
use crate::views::instructions::{for_wide_instructions, stored};
use crate::{LaneBody, Panel, Result};

/// The gradient of the softmax by its results, or by their logarithms. Inputs: gradients, results.
#[derive(Clone, Copy)]
pub struct Gradient {
    /// The gradient is that of the logarithm of softmax.
    pub(super) is_logarithm: bool,
    /// The results are rounded to 16 bits.
    pub(super) is_short: bool,
    /// Computes a lane of elements of 16 bits; other elements are f32.
    pub(super) halves: Option<Halves>,
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

    pub(super) fn lanes(&self, count: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) {
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
                let mut sum = ShortSum::new();
                let [(g, g_rest), (y, y_rest)] = [grads, results].map(|of| of.as_chunks::<{ ShortSum::STRANDS }>());
                for (g, y) in g.chunks(ShortSum::MOST).zip(y.chunks(ShortSum::MOST)) {
                    let mut strands = [0.0; ShortSum::STRANDS];
                    for (g, y) in g.iter().zip(y) {
                        for index in 0..ShortSum::STRANDS {
                            strands[index] = term(g[index], y[index], strands[index], of.is_logarithm);
                        }
                    }
                    sum.add(&strands);
                }
                let mut strands = [0.0; ShortSum::STRANDS];
                for (strand, (g, y)) in strands.iter_mut().zip(g_rest.iter().zip(y_rest)) {
                    *strand = term(*g, *y, *strand, of.is_logarithm);
                }
                sum.add(&strands);
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

/// The sum of numbers that were widened from 16 bits: of some neighbours in f32, and of these in f64. Neighbours near the largest
/// number of bf16 may have an infinite sum. No vector of it lies in two lines of the caches.
#[repr(C, align(64))]
struct ShortSum([f64; Self::STRANDS]);

impl ShortSum {
    /// Sums in f32 beside one another.
    const STRANDS: usize = 64;

    /// The most numbers of a strand that are added up in f32.
    const MOST: usize = 8;

    #[inline(always)]
    fn new() -> Self {
        Self([0.0; Self::STRANDS])
    }

    #[inline(always)]
    fn add(&mut self, strands: &[f32; Self::STRANDS]) {
        self.0.iter_mut().zip(strands).for_each(|(sum, strand)| *sum += f64::from(*strand));
    }

    #[inline(always)]
    fn total(self) -> f64 {
        halved(stored(self.0), |a, b| a + b)
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
            let [(grads, g_rest), (results, y_rest)] = [grads, results].map(|of| of.as_chunks::<TOGETHER>());
            let (to, to_rest) = numbers_mut(out).as_chunks_mut::<TOGETHER>();
            // Behind the last elements there are zeros, which leave a sum as it is.
            let rest = [g_rest, y_rest].map(|rest| {
                let mut whole = [0; TOGETHER];
                whole[..rest.len()].copy_from_slice(rest);
                whole
            });
            let ([mut last, mut spare], mut sum) = ([[0; TOGETHER]; 2], ShortSum::new());
            let [mut g, mut y, mut made] = [Singles([0.0; TOGETHER]); 3];
            let parts = grads.chunks(ShortSum::MOST).zip(results.chunks(ShortSum::MOST));
            for (grads, results) in parts.chain([(&rest[..1], &rest[1..])]) {
                let mut strands = [0.0; TOGETHER];
                for (grads, results) in grads.iter().zip(results) {
                    widen::<H>(grads, &mut g, &mut spare);
                    widen::<H>(results, &mut y, &mut spare);
                    for (strand, (g, y)) in strands.iter_mut().zip(g.0.iter().zip(&y.0)) {
                        *strand = term(*g, *y, *strand, IS_LOGARITHM);
                    }
                }
                sum.add(&strands);
            }
            let sum = pair(sum.total());
            let pieces = grads.iter().zip(results).chain([(&rest[0], &rest[1])]);
            for ((grads, results), to) in pieces.zip(to.iter_mut().chain([&mut last])) {
                widen::<H>(grads, &mut g, &mut spare);
                widen::<H>(results, &mut y, &mut spare);
                for (made, (g, y)) in made.0.iter_mut().zip(g.0.iter().zip(&y.0)) {
                    *made = short_gradient(*g, *y, sum, IS_LOGARITHM);
                }
                narrow::<H>(&made, to, &mut spare);
            }
            to_rest.copy_from_slice(&last[..to_rest.len()]);
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
}
