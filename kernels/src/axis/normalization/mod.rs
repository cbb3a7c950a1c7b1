//! Normalization of one lane. Sums are f64; an operand that is missing is an empty slice.

mod added;
mod quantised;
mod rows;
mod shared;

pub use added::{add_and_normalise, gradients_of_sum, layer_norm_of_sum, rms_norm_of_sum};
pub use quantised::{Quantisation, quantise_smoothed};
pub(crate) use quantised::{at, nearest_code};
pub use rows::*;
pub use shared::{gradients_of_adapted, gradients_of_modulated, sum_columns};

use crate::functions::special::double;
use crate::views::arrays::mapped;
use crate::views::instructions::{for_wide_instructions, stored};

/// The strands of a sum, so that it becomes vectors.
const STRANDS: usize = 16;

/// Combines the second half of some numbers with the first one, until one is left.
#[inline(always)]
pub(crate) fn halved<T: Copy, const N: usize>(mut numbers: [T; N], combine: impl Fn(T, T) -> T) -> T {
    let mut half = N / 2;
    while half > 0 {
        for index in 0..half {
            numbers[index] = combine(numbers[index], numbers[index + half]);
        }
        half /= 2;
    }
    numbers[0]
}

/// Returns the sum of a function of the elements at each position.
pub(crate) fn sum<const N: usize>(operands: [&[f32]; N], term: impl Fn([f64; N]) -> f64) -> f64 {
    let [sum] = sums(operands, |numbers| [term(numbers)]);
    sum
}

for_wide_instructions! {
    /// Returns the sums of some functions of the elements at each position, in strands that become vectors.
    pub(crate) fn sums[const N: usize, const M: usize](
        operands: [&[f32]; N],
        terms: impl Fn([f64; N]) -> [f64; M],
    ) -> [f64; M] {
        let mut count = if N == 0 { 0 } else { usize::MAX };
        for operand in operands {
            count = count.min(operand.len());
        }
        let operands = mapped(operands, (&[][..], &[][..]), |operand| operand[..count].as_chunks::<STRANDS>());
        let mut strands = [[0.0; STRANDS]; M];
        for block in 0..count / STRANDS {
            let blocks = mapped(operands, &[0.0; STRANDS], |(blocks, _)| &blocks[block]);
            for index in 0..STRANDS {
                let terms = terms(mapped(blocks, 0.0, |block| f64::from(block[index])));
                for (strands, term) in strands.iter_mut().zip(terms) {
                    strands[index] += term;
                }
            }
        }
        let mut sums = [0.0; M];
        for (sum, strands) in sums.iter_mut().zip(stored(strands)) {
            *sum = halved(strands, |a, b| a + b);
        }
        for index in 0..count % STRANDS {
            let terms = terms(mapped(operands, 0.0, |(_, rest)| f64::from(rest[index])));
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum += term;
            }
        }
        sums
    }
}

/// Returns the mean of elements and the mean of their squared distances from it.
pub fn moments(x: &[f32]) -> (f64, f64) {
    let mean = sum([x], |[x]| x) / x.len() as f64;
    (mean, sum([x], |[x]| (x - mean) * (x - mean)) / x.len() as f64)
}

/// A number as one of f32 and the part that it lacks, unless it is infinite.
#[inline(always)]
pub(crate) fn pair(x: f64) -> (f32, f32) {
    let high = x as f32;
    (high, if high.is_finite() { (x - f64::from(high)) as f32 } else { 0.0 })
}

/// Returns the first element of an operand, or `missing` for one that is not given.
pub fn first(operand: &[f32], missing: f64) -> f64 {
    operand.first().map_or(missing, |number| f64::from(*number))
}

/// Writes a number to the only element of an output, unless that is missing.
pub fn store(output: &mut [f32], number: f64) {
    if let Some(output) = output.first_mut() {
        *output = number as f32;
    }
}

/// Numbers for the elements of a lane: one for each, one for as many neighbours as fit, or one for all where there are none.
#[derive(Clone, Copy)]
pub struct Spread<'a> {
    numbers: &'a [f32],
    missing: f64,
}

impl<'a> Spread<'a> {
    pub fn new(numbers: &'a [f32], missing: f64) -> Self {
        Self { numbers, missing }
    }

    /// The number of part `index` of `count`.
    fn of(&self, index: usize, count: usize) -> f64 {
        match self.numbers.len() {
            0 => self.missing,
            len => f64::from(self.numbers[index * len / count]),
        }
    }
}

for_wide_instructions! {
    /// Calls `function` with every element of a lane and its weight, which as many neighbours share as there are of one.
    fn weighted[const N: usize](
        operands: [&[f32]; N],
        weights: Spread<'_>,
        biases: Spread<'_>,
        out: &mut [f32],
        function: impl Fn([f64; N], f64, f64) -> f64,
    ) {
        let count = out.len();
        let operands = mapped(operands, &[][..], |operand| &operand[..count]);
        let of_weights = Some(weights.numbers).filter(|numbers| numbers.len() == count);
        let of_biases = Some(biases.numbers).filter(|numbers| numbers.len() == count);
        let parts = weights.numbers.len().max(biases.numbers.len()).clamp(1, count.max(1));
        if let (Some(weights), Some(biases)) = (of_weights, of_biases) {
            let (weights, biases) = (&weights[..count], &biases[..count]);
            for (index, out) in out.iter_mut().enumerate() {
                let at = mapped(operands, 0.0, |operand| f64::from(operand[index]));
                *out = function(at, weights[index].into(), biases[index].into()) as f32;
            }
        } else if let (Some(weights), true) = (of_weights, parts == count) {
            let weights = &weights[..count];
            for (index, out) in out.iter_mut().enumerate() {
                let at = mapped(operands, 0.0, |operand| f64::from(operand[index]));
                *out = function(at, weights[index].into(), biases.missing) as f32;
            }
        } else {
            let run = (count / parts).max(1);
            for (part, out) in out.chunks_mut(run).enumerate() {
                let (weight, bias) = (weights.of(part, parts), biases.of(part, parts));
                let operands = mapped(operands, &[][..], |operand| &operand[part * run..][..out.len()]);
                for (index, out) in out.iter_mut().enumerate() {
                    *out = function(mapped(operands, 0.0, |operand| f64::from(operand[index])), weight, bias) as f32;
                }
            }
        }
    }
}

/// Returns the sigmoid linear unit.
pub fn silu(x: f64) -> f64 {
    double::silu(x)
}

/// Returns the Gaussian error linear unit, exactly or by its form with tanh.
#[inline(never)]
pub fn gelu(x: f64, by_tanh: bool) -> f64 {
    if by_tanh { double::gelu_by_tanh(x) } else { double::gelu(x) }
}

/// Writes `(x − mean) inverse w + b` of each element, its weight and its bias; in f32 where results are rounded to 16 bits.
pub fn normalise(
    x: &[f32],
    (mean, inverse): (f64, f64),
    [weights, biases]: [Spread<'_>; 2],
    out: &mut [f32],
    is_short: bool,
) {
    let are_for_each = |spread: Spread<'_>| spread.numbers.len() == out.len();
    match is_short && are_for_each(weights) == are_for_each(biases) {
        true => normalise_short(x, (mean, inverse), [weights, biases], out),
        false => {
            weighted([x], weights, biases, out, |[x], weight, bias| (x - mean) * (inverse * weight) + bias)
        }
    }
}

for_wide_instructions! {
    /// Normalises elements that have weights and biases of their own, or of which neighbours share one.
    fn normalise_short(
        x: &[f32],
        moments: (f64, f64),
        spreads: [Spread<'_>; 2],
        out: &mut [f32],
    ) {
        let ((mean, inverse), [weights, biases], count) = (moments, spreads, out.len());
        let ((high, low), x) = (pair(mean), &x[..count]);
        if weights.numbers.len() != count {
            let parts = weights.numbers.len().max(biases.numbers.len()).clamp(1, count.max(1));
            let run = (count / parts).max(1);
            for (part, (out, x)) in out.chunks_mut(run).zip(x.chunks(run)).enumerate() {
                let factor = (inverse * weights.of(part, parts)) as f32;
                let bias = biases.of(part, parts) as f32;
                for (out, x) in out.iter_mut().zip(x) {
                    *out = ((x - high) - low).mul_add(factor, bias);
                }
            }
            return;
        }
        let (weights, biases, factor) = (&weights.numbers[..count], &biases.numbers[..count], inverse as f32);
        for (index, out) in out.iter_mut().enumerate() {
            *out = (((x[index] - high) - low) * factor).mul_add(weights[index], biases[index]);
        }
    }
}

/// Writes the gradient of a normalisation: `r (g w − mean(g w) − n mean(g w n))`, where `n` is the normalised
/// element `(x − mean) r`. A lane that is not centred has no mean of its gradients either.
pub fn gradient(
    [gradients, x]: [&[f32]; 2],
    (mean, inverse): (f64, f64),
    weights: Spread<'_>,
    is_centred: bool,
    out: &mut [f32],
) {
    let none = Spread::new(&[], 0.0);
    // The products are summed part by part, where a part has one weight.
    let parts = weights.numbers.len().clamp(1, x.len().max(1));
    let run = (x.len() / parts).max(1);
    let (mut of_gradients, mut of_products) = (0.0, 0.0);
    if weights.numbers.len() == x.len() {
        [of_gradients, of_products] = sums([gradients, weights.numbers, x], |[g, w, x]| {
            let own = g * w;
            [own, own * (x - mean)]
        });
    } else {
        for (part, (gradients, x)) in gradients.chunks(run).zip(x.chunks(run)).enumerate() {
            let weight = weights.of(part, parts);
            let own = sums([gradients, x], |[g, x]| [g, g * (x - mean)]);
            of_gradients += weight * own[0];
            of_products += weight * own[1];
        }
    }
    let count = x.len() as f64;
    let of_gradients = if is_centred { of_gradients / count } else { 0.0 };
    let slope = of_products * inverse / count * inverse;
    weighted([gradients, x], weights, none, out, |[g, x], weight, _| {
        inverse * (g * weight - of_gradients - (x - mean) * slope)
    });
}

/// Returns the `p`-norm of elements.
pub fn norm(x: &[f32], p: f64) -> f64 {
    if p == f64::INFINITY {
        let larger = |most: f64, x: &f32| {
            let x = f64::from(x.abs());
            if x > most || x.is_nan() { x } else { most }
        };
        return x.iter().fold(0.0, larger);
    }
    match p {
        0.0 => sum([x], |[x]| f64::from(u8::from(x != 0.0))),
        1.0 => sum([x], |[x]| x.abs()),
        2.0 => sum([x], |[x]| x * x).sqrt(),
        _ => sum([x], |[x]| x.abs().powf(p)).powf(1.0 / p),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, choose};

    /// Expected is one addition after the other, of numbers whose sums are exact.
    #[test]
    fn sums_of_lanes_of_any_length_are_the_same_with_all_instructions() {
        for len in [0, 1, 15, 16, 17, 100, 1000] {
            let [a, b] = [37, 53]
                .map(|seed| (0..len).map(|index| (index * seed % 101) as f32 / 4.0).collect::<Vec<_>>());
            let exact: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            for instructions in 0..4 {
                let before = choose(Choice { instructions: Some(instructions), block: None });
                let found = sum([&a, &b], |[a, b]| a * b);
                let mut out = vec![0.0; len];
                weighted([&a], Spread::new(&b, 1.0), Spread::new(&[], 0.5), &mut out, |[x], weight, bias| {
                    x * weight + bias
                });
                choose(before);
                assert_eq!(found, exact, "{len} {instructions}");
                assert!(out.iter().zip(a.iter().zip(&b)).all(|(out, (a, b))| *out == a * b + 0.5));
            }
        }
    }
}
