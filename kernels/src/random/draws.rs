//! Numbers of a distribution, element by element.

use std::ops::Range;

use aclnn_numerics::{DType, bf16, f16};
use bytemuck::cast_slice;

use super::Seeds;
use super::philox::{BITS, Philox, fraction};
use crate::functions::special::single;
use crate::views::instructions::for_wide_instructions;
use crate::{Block, Body, Bound, Conversions, Scratch};

/// Elements that are drawn together: whole blocks of words.
const PIECE: usize = 64 * Philox::BLOCK;

/// The numbers that are drawn.
#[derive(Clone, Copy)]
pub enum Distribution {
    /// f32 numbers of a range.
    Uniform(Uniform),
    /// f32 numbers with a mean and a standard deviation, which are the parameters.
    Normal,
    /// i64 numbers from `from` up to `to`: those of f32, cut off; or rounded if `rounds`, so that `to` is among them.
    Whole { from: i64, to: i64, rounds: bool },
    /// i64 numbers from 0 up to `last`.
    Bits { last: u64 },
    /// f32 ones with a probability, which is the parameter, and zeros.
    Bernoulli,
    /// The parameter over `divisor` with the probability `keep`, and otherwise zero.
    Dropout { keep: f32, divisor: f32 },
}

/// Numbers of f32 from a number to another one, which no element is once it is rounded as its type does.
#[derive(Clone, Copy)]
pub struct Uniform {
    start: f32,
    span: f32,
    /// The least number that is not less than the end once it is rounded.
    limit: f32,
    /// Bits of a word that make a number.
    bits: u32,
    rounding: Rounding,
}

impl Uniform {
    /// Numbers of f32 that are rounded to elements of a type.
    pub fn new(from: f64, to: f64, dtype: DType) -> Self {
        let (start, rounding) = (from as f32, Rounding::of(dtype));
        // What is not less than this, is not less than `to`.
        let end = to as f32;
        let end = if f64::from(end) < to { end.next_up() } else { end };
        Self { start, span: to as f32 - start, limit: rounding.least(end), bits: rounding.bits(), rounding }
    }

    pub(super) fn round(self, value: f32) -> f32 {
        self.rounding.round(value)
    }

    /// Makes numbers of words.
    pub(super) fn fill(self, words: &[u32], drawn: &mut [f32]) {
        fill(self, words, drawn);
    }
}

for_wide_instructions! {
    fn fill(range: Uniform, words: &[u32], drawn: &mut [f32]) {
        for (drawn, word) in drawn.iter_mut().zip(words) {
            let value = fraction(*word, range.bits) * range.span + range.start;
            *drawn = if value >= range.limit { range.start } else { value };
        }
    }
}

/// The later rounding of an element of f32.
#[derive(Clone, Copy)]
enum Rounding {
    Not,
    F16,
    BF16,
}

impl Rounding {
    /// That of the elements of a type.
    fn of(dtype: DType) -> Self {
        match dtype {
            DType::F16 => Rounding::F16,
            DType::BF16 => Rounding::BF16,
            _ => Rounding::Not,
        }
    }

    /// Bits of a word of which an element has all.
    fn bits(self) -> u32 {
        match self {
            Rounding::Not => BITS,
            Rounding::F16 => f16::MANTISSA_DIGITS - 1,
            Rounding::BF16 => bf16::MANTISSA_DIGITS - 1,
        }
    }

    fn round(self, value: f32) -> f32 {
        match self {
            Rounding::Not => value,
            Rounding::F16 => f16::from_f32(value).to_f32(),
            Rounding::BF16 => bf16::from_f32(value).to_f32(),
        }
    }

    /// The least number that is not less than `end` once it is rounded; NaN for NaN.
    fn least(self, end: f32) -> f32 {
        if end.is_nan() {
            return end;
        }
        // The bits of numbers are in their order where those of negative ones are turned over.
        let ordered = |bits: u32| f32::from_bits(if bits >> 31 == 1 { bits & 0x7FFF_FFFF } else { !bits });
        let (mut below, mut least) = (!f32::NEG_INFINITY.to_bits(), f32::INFINITY.to_bits() | 1 << 31);
        while below < least {
            let middle = below + (least - below) / 2;
            if self.round(ordered(middle)) >= end {
                least = middle;
            } else {
                below = middle + 1;
            }
        }
        ordered(least)
    }
}

/// A number that says how an element is drawn.
pub enum Parameter {
    Value(f32),
    /// That of the next input, once it is converted to f32.
    Input(Conversions),
}

/// Elements drawn from a distribution: the inputs are those of the seeds, then those of the parameters.
pub struct Draws {
    pub seeds: Seeds,
    pub distribution: Distribution,
    pub parameters: Vec<Parameter>,
    /// From the type that is drawn to that of the output.
    pub result: Conversions,
    /// Bytes of an element of the output.
    pub size: usize,
}

impl Draws {
    /// Bytes of an element as it is drawn.
    fn drawn(&self) -> usize {
        match self.distribution {
            Distribution::Whole { .. } | Distribution::Bits { .. } => size_of::<i64>(),
            _ => size_of::<f32>(),
        }
    }

    /// Reads the parameters of some elements.
    fn parameters(
        &self,
        inputs: &[Bound<'_>],
        range: Range<usize>,
        scratch: &mut Scratch,
    ) -> [[f32; PIECE]; 2] {
        let mut values = [[0.0; PIECE]; 2];
        let mut inputs = inputs.iter().skip(self.seeds.inputs());
        for (parameter, values) in self.parameters.iter().zip(&mut values) {
            match parameter {
                Parameter::Value(value) => values.fill(*value),
                Parameter::Input(conversions) => {
                    let Some(input) = inputs.next() else { continue };
                    let room = &mut scratch.first;
                    let from = &mut room.from.bytes_mut()[..range.len() * input.size()];
                    input.gather(range.clone(), from);
                    let to = &mut bytemuck::cast_slice_mut(values)[..range.len() * size_of::<f32>()];
                    conversions.apply(range.len(), from, to, &mut room.between);
                }
            }
        }
        values
    }
}

impl Body for Draws {
    fn block(&self, inputs: &[Bound<'_>], range: Range<usize>, out: &mut [u8], scratch: &mut Scratch) {
        let philox = self.seeds.of_elements(inputs, range.start);
        let (mut rest, mut begin) = (out, range.start);
        while begin < range.end {
            // The words of a piece begin a block, so that neighbours make the same numbers wherever a range begins.
            let first = begin - begin % Philox::BLOCK;
            let part = begin..range.end.min(first + PIECE);
            let inside = part.start - first..part.end - first;
            let (place, after) = std::mem::take(&mut rest).split_at_mut(part.len() * self.size);
            let parameters = self.parameters(inputs, part.clone(), scratch);
            let between = &mut scratch.combined.between;
            match self.distribution {
                Distribution::Whole { .. } | Distribution::Bits { .. } => {
                    let drawn = whole(self.distribution, philox, first);
                    self.result.apply(part.len(), cast_slice(&drawn[inside]), place, between);
                }
                _ => {
                    let drawn = real(self.distribution, philox, first, inside.clone(), &parameters);
                    self.result.apply(part.len(), cast_slice(&drawn[inside]), place, between);
                }
            }
            (rest, begin) = (after, part.end);
        }
    }

    fn widest(&self) -> usize {
        // A piece and its parameters fit a block as well.
        const _: () = assert!(PIECE * size_of::<f64>() <= Block::SIZE);
        self.size.max(self.drawn())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["random"]
    }
}

/// A piece of f32 numbers. Parameters are those of the elements `inside`.
fn real(
    distribution: Distribution,
    philox: Philox,
    first: usize,
    inside: Range<usize>,
    parameters: &[[f32; PIECE]; 2],
) -> [f32; PIECE] {
    let mut words = [0; PIECE];
    philox.words(first, &mut words);
    let mut drawn = [0.0; PIECE];
    let [a, b] = parameters;
    match distribution {
        Distribution::Uniform(range) => {
            range.fill(&words, &mut drawn);
        }
        Distribution::Normal => {
            normal(&words, &mut drawn);
            for (drawn, (mean, std)) in drawn[inside].iter_mut().zip(a.iter().zip(b)) {
                *drawn = *drawn * std + mean;
            }
        }
        Distribution::Bernoulli => {
            for ((drawn, word), probability) in drawn[inside.clone()].iter_mut().zip(&words[inside]).zip(a) {
                *drawn = f32::from(fraction(*word, BITS) < *probability);
            }
        }
        Distribution::Dropout { keep, divisor } => {
            for ((drawn, word), value) in drawn[inside.clone()].iter_mut().zip(&words[inside]).zip(a) {
                *drawn = if fraction(*word, BITS) < keep { value / divisor } else { 0.0 };
            }
        }
        Distribution::Whole { .. } | Distribution::Bits { .. } => {}
    }
    drawn
}

for_wide_instructions! {
    /// Makes numbers of the standard normal distribution: two of two words. They are computed in f64, so that the functions of
    /// every machine give the same f32.
    fn normal(words: &[u32; PIECE], drawn: &mut [f32; PIECE]) {
        const PAIRS: usize = PIECE / 2;
        let (mut sines, mut cosines) = ([0.0_f32; PAIRS], [0.0_f32; PAIRS]);
        for index in 0..PAIRS {
            let [first, second] = [fraction(words[2 * index], BITS), fraction(words[2 * index + 1], BITS)];
            let first = if first < 1e-7 { 1e-7 } else { first };
            let radius = (-2.0 * single::ln(first.into())).sqrt();
            let angle = std::f64::consts::TAU * f64::from(second);
            sines[index] = (radius * single::sin(angle)) as f32;
            cosines[index] = (radius * single::cos(angle)) as f32;
        }
        for index in 0..PAIRS {
            drawn[2 * index] = sines[index];
            drawn[2 * index + 1] = cosines[index];
        }
    }
}

/// A piece of i64 numbers.
fn whole(distribution: Distribution, philox: Philox, first: usize) -> [i64; PIECE] {
    let mut drawn = [0; PIECE];
    match distribution {
        Distribution::Whole { from, to, rounds } => {
            let mut words = [0; PIECE];
            philox.words(first, &mut words);
            let (start, span) = (from as f32, to as f32 - from as f32);
            for (drawn, word) in drawn.iter_mut().zip(words) {
                let value = fraction(word, BITS) * span + start;
                *drawn = match rounds {
                    true => value.round_ties_even() as i64,
                    false if value >= to as f32 => from,
                    false => (value as i64).clamp(from, to - 1),
                };
            }
        }
        Distribution::Bits { last } => {
            let count = last.wrapping_add(1);
            for (drawn, number) in drawn.iter_mut().zip(first..) {
                *drawn = (philox.bits(number) % count) as i64;
            }
        }
        _ => {}
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, choose};

    /// Expected is the rounding of each number.
    #[test]
    fn no_uniform_number_is_the_end_once_it_is_rounded() {
        for dtype in [DType::F32, DType::F16, DType::BF16] {
            let rounding = Rounding::of(dtype);
            for end in [1.0, -1.0, 0.0, -0.0, 0.3, 1e-9, -3e-8, 65_519.0, 65_520.0, 1e30, f32::INFINITY] {
                let least = rounding.least(end);
                assert!(rounding.round(least) >= end, "{dtype} {end}");
                assert!(rounding.round(least.next_down()) < end, "{dtype} {end}");
            }
            assert!(rounding.least(f32::NAN).is_nan());
        }
    }

    /// Expected are the functions of the standard library.
    #[test]
    fn normal_numbers_are_those_of_the_formula_and_the_same_with_all_instructions() {
        let mut words = [0; PIECE];
        Philox::new(3, 7).words(0, &mut words);
        let drawn = |instructions| {
            let before = choose(Choice { instructions: Some(instructions), block: None });
            let mut drawn = [0.0; PIECE];
            normal(&words, &mut drawn);
            choose(before);
            drawn
        };
        let expected = drawn(0);
        (1..4).for_each(|set| assert_eq!(expected, drawn(set), "{set}"));
        for (drawn, words) in expected.chunks(2).zip(words.chunks(2)) {
            let [first, second] = [0, 1].map(|index| f64::from(fraction(words[index], BITS)));
            let radius = (-2.0 * first.max(1e-7).ln()).sqrt();
            let (sin, cos) = (std::f64::consts::TAU * second).sin_cos();
            for (drawn, exact) in drawn.iter().zip([radius * sin, radius * cos]) {
                assert!((f64::from(*drawn) - exact).abs() <= 1e-7 * exact.abs().max(1e-6), "{drawn} {exact}");
            }
        }
    }
}
