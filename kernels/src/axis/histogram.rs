//! Histograms: counts of values, as whole numbers or in equal parts of a range.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::{Pod, cast_slice};

use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Block, Bound, Conversions, Sizes, Whole};

/// The number of times that each whole number occurs, or the sum of the weights of those elements.
pub struct Occurrences {
    /// To i32.
    pub load: Conversions,
    /// To f64, if there are weights.
    pub weights: Option<Conversions>,
    /// From i64 or, with weights, f64.
    pub result: Conversions,
    /// The greatest possible count.
    pub most: i64,
}

/// The number of elements in each of equal parts of a range.
pub struct Histogram {
    /// To f32 or i64.
    pub load: Conversions,
    pub range: Range,
    /// From i64.
    pub result: Conversions,
}

/// The limits of a histogram.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    Floats(f32, f32),
    Ints(i64, i64),
    /// Those of the elements.
    OfFloats,
    OfInts,
}

/// Visits all elements in order, converted, some at a time.
fn each<T: Pod>(input: &Bound<'_>, load: &Conversions, mut visit: impl FnMut(usize, &[T])) {
    const STEP: usize = 256;
    let (mut stored, mut seen, mut between) = (Block::new(), Block::new(), Block::new());
    for first in (0..input.numel()).step_by(STEP) {
        let count = STEP.min(input.numel() - first);
        let from = &mut stored.bytes_mut()[..count * input.size()];
        input.gather(first..first + count, from);
        let to = &mut seen.bytes_mut()[..count * size_of::<T>()];
        load.apply_all(count, from, to, &mut between);
        visit(first, cast_slice(to));
    }
}

/// Writes numbers to an output.
fn write<T: Pod>(numbers: &[T], output: &Bound<'_>, result: &Conversions) -> Result {
    let mut lines = Vec::new();
    let to = allocation::bytes_of(&mut lines, numbers.len() * output.size())?;
    result.apply_all(numbers.len(), cast_slice(numbers), to, &mut Block::new());
    output.scatter(0..numbers.len(), to);
    Ok(())
}

impl Whole for Occurrences {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([own, weights @ ..], [output]) = (inputs, outputs) else { return Ok(()) };
        let length = output.numel();
        let mut negative = None;
        let mut values = allocation::for_elements(own.numel())?;
        each::<i32>(own, &self.load, |_, some| values.extend_from_slice(some));
        let mut place = |value: i32| match usize::try_from(value) {
            Ok(place) => Some(place).filter(|place| *place < length),
            Err(_) => {
                negative.get_or_insert(value);
                None
            }
        };
        match (weights, &self.weights) {
            ([weights], Some(load)) => {
                let mut sums = allocation::zeros::<f64>(length)?;
                each::<f64>(weights, load, |first, some| {
                    for (value, weight) in values[first..].iter().zip(some) {
                        if let Some(place) = place(*value) {
                            sums[place] += weight;
                        }
                    }
                });
                refuse(negative)?;
                write(&sums, output, &self.result)?;
            }
            _ => {
                let mut counts = allocation::zeros::<i64>(length)?;
                for place in values.iter().filter_map(|value| place(*value)) {
                    counts[place] = (counts[place] + 1).min(self.most);
                }
                refuse(negative)?;
                write(&counts, output, &self.result)?;
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["count"]
    }
}

fn refuse(negative: Option<i32>) -> Result {
    match negative {
        None => Ok(()),
        Some(value) => Err(Failure::new(
            Cause::AiCore,
            format_args!("self holds {value}, and negative numbers are not counted"),
        )),
    }
}

impl Whole for Histogram {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([own], [output]) = (inputs, outputs) else { return Ok(()) };
        let counts: Vec<AtomicU64> = allocation::collect((0..output.numel()).map(|_| AtomicU64::new(0)))?;
        let count = |bin: usize| {
            if let Some(count) = counts.get(bin.min(counts.len().saturating_sub(1))) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        };
        let bins = counts.len();
        match self.range {
            Range::Floats(least, most) => floats(own, &self.load, (least, most), bins, count),
            Range::Ints(least, most) => ints(own, &self.load, (least, most), bins, count),
            Range::OfFloats => {
                let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
                each::<f32>(own, &self.load, |_, some| {
                    least = some.iter().fold(least, |least, x| least.min(*x));
                    most = some.iter().fold(most, |most, x| most.max(*x));
                });
                floats(own, &self.load, (least, most), bins, count);
            }
            Range::OfInts => {
                let (mut least, mut most) = (i64::MAX, i64::MIN);
                each::<i64>(own, &self.load, |_, some| {
                    least = some.iter().fold(least, |least, x| least.min(*x));
                    most = some.iter().fold(most, |most, x| most.max(*x));
                });
                ints(own, &self.load, (least, most), bins, count);
            }
        }
        let counts: Vec<i64> = counts.into_iter().map(|count| count.into_inner() as i64).collect();
        write(&counts, output, &self.result)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["count"]
    }
}

fn floats(
    own: &Bound<'_>,
    load: &Conversions,
    (least, most): (f32, f32),
    bins: usize,
    count: impl Fn(usize),
) {
    let (least, most) = if least == most { (least - 1.0, most + 1.0) } else { (least, most) };
    each::<f32>(own, load, |_, some| {
        for x in some.iter().filter(|x| **x >= least && **x <= most) {
            count(((x - least) * bins as f32 / (most - least)) as usize);
        }
    });
}

fn ints(own: &Bound<'_>, load: &Conversions, (least, most): (i64, i64), bins: usize, count: impl Fn(usize)) {
    let (least, most) =
        if least == most { (least.saturating_sub(1), most.saturating_add(1)) } else { (least, most) };
    each::<i64>(own, load, |_, some| {
        for x in some.iter().filter(|x| (least..=most).contains(*x)) {
            let bin = (i128::from(*x) - i128::from(least)) * bins as i128;
            count((bin / (i128::from(most) - i128::from(least))) as usize);
        }
    });
}
