//! A function of the elements of some operands, with a result for each, or their sum.

use std::cell::RefCell;

use super::{numbers, numbers_mut};
use crate::views::buffer_cache::with_kept;
use crate::views::failure::Result;
use crate::views::instructions::for_wide_instructions;
use crate::{Block, Conversions, LaneBody, LaneFunction, Panel};

/// Elements that are computed together: they stay in the first-level cache.
const TOGETHER: usize = 256;

/// Sums beside each other, of which one gets every sixteenth number.
const STRANDS: usize = 16;

/// Elements of one operand.
pub type Numbers = [f32; TOGETHER];

/// The results of as many elements.
pub type Results = [f64; TOGETHER];

/// The elements of an operand that is missing.
static ONES: Numbers = [1.0; TOGETHER];

/// A function of one element of each operand.
pub trait Term: Send + Sync {
    /// Applies it to elements of each operand.
    fn block(&self, operands: &[&Numbers], out: &mut Results);
}

/// A function of one element of each operand, in f64. Operands and results are f32; a sum is f64.
pub struct Elements {
    /// The presence of each operand; an operand that is missing counts as 1.
    present: Vec<bool>,
    term: Box<dyn Term>,
    /// The number that each result is divided by.
    divisor: f64,
    /// The rounding of each result before the results of a lane are added up; none if they are not.
    sums: Option<Conversions>,
}

impl Elements {
    /// Writes each result, over a divisor.
    pub fn each(present: Vec<bool>, divisor: f64, term: Box<dyn Term>) -> Self {
        Self { present, term, divisor, sums: None }
    }

    /// Adds up the results of a lane. `rounding` converts each to a type and back to f64.
    pub fn sum(present: Vec<bool>, divisor: f64, rounding: Conversions, term: Box<dyn Term>) -> Self {
        Self { sums: Some(rounding), ..Self::each(present, divisor, term) }
    }

    fn compute(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]], buffers: &mut Buffers) {
        let [output] = outputs else { return };
        let count = inputs.first().map_or(0, |input| input.len() / size_of::<f32>());
        let Buffers { ends, results, between } = buffers;
        let mut strands = [0.0; STRANDS];
        for (block, first) in (0..count).step_by(TOGETHER).enumerate() {
            let range = first..count.min(first + TOGETHER);
            let (mut operands, mut inputs) = ([&ONES; MOST], inputs.iter());
            let ends = operands.iter_mut().zip(ends.iter_mut()).zip(&self.present);
            for ((operand, end), _) in ends.filter(|(_, is_present)| **is_present) {
                let (whole, rest) = inputs.next().map_or(&[][..], |input| numbers(input)).as_chunks();
                *operand = whole.get(block).unwrap_or_else(|| {
                    end[..rest.len()].copy_from_slice(rest);
                    end
                });
            }
            self.term.block(&operands[..self.present.len()], results);
            if self.divisor != 1.0 {
                results.iter_mut().for_each(|result| *result /= self.divisor);
            }
            match &self.sums {
                None => narrow(results, &mut numbers_mut(output)[range]),
                Some(rounding) if rounding.is_empty() => add(&mut strands, &results[..range.len()]),
                Some(rounding) => {
                    let mut rounded = *results;
                    let (exact, rounded) = (&results[..range.len()], &mut rounded[..range.len()]);
                    let exact = bytemuck::cast_slice(exact);
                    rounding.apply(rounded.len(), exact, bytemuck::cast_slice_mut(rounded), between);
                    add(&mut strands, rounded);
                }
            }
        }
        if self.sums.is_some()
            && let [sum] = numbers_mut::<f64>(output)
        {
            *sum = strands.iter().sum();
        }
    }
}

/// The most operands of a term.
const MOST: usize = 5;

thread_local! {
    /// The buffers of this thread, kept for the next launch: making them takes as long as a short lane.
    static BUFFERS: RefCell<Buffers> = RefCell::new(Buffers::new());
}

/// The numbers that are computed together.
struct Buffers {
    /// The last elements of each operand, where they are fewer.
    ends: [Numbers; MOST],
    results: Results,
    between: Block,
}

impl Buffers {
    fn new() -> Self {
        Self { ends: [ONES; MOST], results: [0.0; TOGETHER], between: Block::new() }
    }
}

for_wide_instructions! {
    fn narrow(from: &Results, to: &mut [f32]) {
        to.iter_mut().zip(from).for_each(|(to, x)| *to = *x as f32);
    }

    /// Adds numbers to the strands in turn.
    fn add(strands: &mut [f64; STRANDS], from: &[f64]) {
        let (whole, rest) = from.as_chunks::<STRANDS>();
        let mut sums = *strands;
        for numbers in whole {
            sums.iter_mut().zip(numbers).for_each(|(sum, x)| *sum += x);
        }
        sums.iter_mut().zip(rest).for_each(|(sum, x)| *sum += x);
        *strands = sums;
    }
}

impl LaneBody for Elements {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        with_kept(&BUFFERS, Buffers::new, |buffers| {
            self.compute(inputs, outputs, buffers);
            Ok(())
        })
    }

    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        with_kept(&BUFFERS, Buffers::new, |buffers| {
            // Elements of neighbouring lanes are neighbours.
            if self.sums.is_none() {
                self.compute(panel.inputs, panel.outputs, buffers);
                return Ok(());
            }
            panel.each(&mut |_, inputs, outputs| {
                self.compute(inputs, outputs, buffers);
                Ok(())
            })
        })
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["loss"]
    }
}

/// The distances of integers, in i64: their sum, or each.
pub fn integer_distances(sums: bool) -> LaneFunction {
    LaneFunction::new("loss", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        if let ([x, t], [output]) = (inputs, outputs) {
            let pairs = numbers::<i64>(x).iter().zip(numbers::<i64>(t));
            let distances = pairs.map(|(x, t)| x.wrapping_sub(*t).wrapping_abs());
            match numbers_mut::<i64>(output) {
                [sum] if sums => *sum = distances.fold(0, i64::wrapping_add),
                output => output.iter_mut().zip(distances).for_each(|(output, distance)| *output = distance),
            }
        }
        Ok(())
    })
}

/// Computes the sum of a lane of integers.
pub fn integer_total() -> LaneFunction {
    LaneFunction::new("sum", |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        if let ([lane], [output]) = (inputs, outputs)
            && let [output] = numbers_mut::<i64>(output)
        {
            *output = numbers::<i64>(lane).iter().copied().fold(0, i64::wrapping_add);
        }
        Ok(())
    })
}

/// Computes the sum of a lane, over a divisor.
pub fn total(divisor: f64) -> LaneFunction {
    LaneFunction::new("sum", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        if let ([lane], [output]) = (inputs, outputs)
            && let [output] = numbers_mut::<f64>(output)
        {
            *output = numbers::<f64>(lane).iter().sum::<f64>() / divisor;
        }
        Ok(())
    })
}
