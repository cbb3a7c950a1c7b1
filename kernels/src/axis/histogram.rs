//! Histograms: counts of values, as whole numbers or in equal parts of a range.

use bytemuck::{Pod, cast_slice_mut};

use crate::engine::in_order::{each, write};
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::instructions::for_instructions;
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

impl Whole for Occurrences {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([own, weights @ ..], [output]) = (inputs, outputs) else { return Ok(()) };
        let length = output.numel();
        let mut negative = None;
        // A negative number is none of the places.
        let place = |value: i32| value as u32 as usize;
        match (weights, &self.weights) {
            ([weights], Some(load)) => {
                let mut values = allocation::for_elements(own.numel())?;
                each::<i32>(own, &self.load, |_, some| values.extend_from_slice(some));
                refuse(values.iter().copied().find(|value| *value < 0))?;
                let mut sums = allocation::zeros::<f64>(length)?;
                each::<f64>(weights, load, |first, some| {
                    for (value, weight) in values[first..].iter().zip(some) {
                        if let Some(sum) = sums.get_mut(place(*value)) {
                            *sum += weight;
                        }
                    }
                });
                write(&sums, output, &self.result)
            }
            _ => {
                let mut counts = allocation::zeros::<i64>(length)?;
                each::<i32>(own, &self.load, |_, some| {
                    for value in some {
                        match counts.get_mut(place(*value)) {
                            Some(count) => *count += 1,
                            None if *value < 0 => negative = negative.or(Some(*value)),
                            None => {}
                        }
                    }
                });
                refuse(negative)?;
                counts.iter_mut().for_each(|count| *count = self.most.min(*count));
                write(&counts, output, &self.result)
            }
        }
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

/// The least and the most of some elements, a NaN aside.
fn limits<T: Pod + PartialOrd>(own: &Bound<'_>, load: &Conversions, [most, least]: [T; 2]) -> (T, T) {
    let mut limits = (least, most);
    each::<T>(own, load, |_, some| {
        for x in some {
            limits.0 = if *x < limits.0 { *x } else { limits.0 };
            limits.1 = if *x > limits.1 { *x } else { limits.1 };
        }
    });
    limits
}

impl Whole for Histogram {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([own], [output]) = (inputs, outputs) else { return Ok(()) };
        let mut counts = allocation::zeros::<i64>(output.numel())?;
        let load = &self.load;
        match self.range {
            Range::Floats(least, most) => floats(own, load, (least, most), &mut counts),
            Range::Ints(least, most) => ints(own, load, (least, most), &mut counts),
            Range::OfFloats => {
                let range = limits(own, load, [f32::NEG_INFINITY, f32::INFINITY]);
                floats(own, load, range, &mut counts);
            }
            Range::OfInts => ints(own, load, limits(own, load, [i64::MIN, i64::MAX]), &mut counts),
        }
        write(&counts, output, &self.result)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["count"]
    }
}

/// Counts an element of a part, or of the last one.
#[inline(always)]
fn count(counts: &mut [i64], part: usize) {
    let last = counts.len().saturating_sub(1);
    if let Some(count) = counts.get_mut(part.min(last)) {
        *count += 1;
    }
}

for_instructions! {
    /// Writes the part of the range that each element is in: that behind the last one for the greatest, and −1 for one that is
    /// in none.
    fn parts(some: &[f32], least: f32, most: f32, bins: f32, to: &mut [i32]) {
        for (to, x) in to.iter_mut().zip(some) {
            let part = (x - least) * bins / (most - least);
            *to = if (*x >= least) & (*x <= most) { part as i32 } else { -1 };
        }
    }
}

fn floats(own: &Bound<'_>, load: &Conversions, (least, most): (f32, f32), counts: &mut [i64]) {
    let (least, most) = if least == most { (least - 1.0, most + 1.0) } else { (least, most) };
    let (mut block, bins) = (Block::new(), counts.len() as f32);
    each::<f32>(own, load, |_, some| {
        let to = &mut cast_slice_mut(block.bytes_mut())[..some.len()];
        parts(some, least, most, bins, to);
        for part in to.iter().filter(|part| **part >= 0) {
            count(counts, *part as usize);
        }
    });
}

fn ints(own: &Bound<'_>, load: &Conversions, (least, most): (i64, i64), counts: &mut [i64]) {
    let (least, most) =
        if least == most { (least.saturating_sub(1), most.saturating_add(1)) } else { (least, most) };
    each::<i64>(own, load, |_, some| {
        for x in some.iter().filter(|x| (least..=most).contains(*x)) {
            let bin = (i128::from(*x) - i128::from(least)) * counts.len() as i128;
            count(counts, (bin / (i128::from(most) - i128::from(least))) as usize);
        }
    });
}
