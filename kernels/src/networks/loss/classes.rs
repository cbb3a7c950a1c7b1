//! Losses of rows with one number for each class.

use bytemuck::Pod;

use super::{numbers, numbers_mut};
use crate::axis::normalization::sums;
use crate::axis::softmax;
use crate::engine::in_order;
use crate::functions::special::single;
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::instructions::for_wide_instructions;
use crate::{Block, Bound, Conversions, LaneFunction, Sizes, Whole};

/// The class of row `number`; `None` if the row is ignored.
fn class(label: i64, number: usize, classes: usize, ignored: i64) -> Result<Option<usize>> {
    if label == ignored {
        return Ok(None);
    }
    match usize::try_from(label).ok().filter(|class| *class < classes) {
        Some(class) => Ok(Some(class)),
        None => Err(Failure::new(
            Cause::AiCore,
            format_args!(
                "target has the class {label} for row {number}, but classes from 0 to {} exist",
                classes as i128 - 1
            ),
        )),
    }
}

/// The negative log likelihood: of each row `−w x` of its class, or their sum and that of the weights `w`. Inputs: rows, one
/// after the other, classes, weights of the classes.
pub struct NegativeLikelihood {
    pub classes: usize,
    pub ignored: i64,
    /// Of rows and weights to f32, and of classes to i64.
    pub load: [Conversions; 3],
    /// Whether losses are summed up, and whether their sum is divided by that of the weights.
    pub total: Option<bool>,
    /// From f64 to each output.
    pub results: Vec<Conversions>,
}

/// Rows whose numbers are picked together.
const TOGETHER: usize = Block::SIZE / size_of::<u64>();

/// Copies elements by their places.
fn pick<T: Pod>(all: &[u8], places: &[usize], to: &mut [u8]) {
    let all = numbers::<T>(all);
    for (to, place) in numbers_mut::<T>(to).iter_mut().zip(places) {
        *to = all[*place];
    }
}

impl NegativeLikelihood {
    /// Calls `visit` with the numbers of some rows that are not ignored, their numbers of their classes, and the weights.
    fn rows(
        &self,
        [own, labels, weights]: [&Bound<'_>; 3],
        mut visit: impl FnMut(&[usize], &[f32], &[f32]),
    ) -> Result {
        let ([load_rows, load_labels, load_weights], classes) = (&self.load, self.classes);
        let mut of_classes = allocation::for_elements::<f32>(classes)?;
        in_order::each::<f32>(weights, load_weights, |_, some| of_classes.extend_from_slice(some));
        let (all, size) = (own.contiguous(0..own.numel()), own.size());
        let (mut stored, mut seen, mut between) = (Block::new(), Block::new(), Block::new());
        let (mut rows, mut places, mut weights) = ([0; TOGETHER], [0; TOGETHER], [1.0; TOGETHER]);
        let mut failed = None;
        in_order::each::<i64>(labels, load_labels, |first, some| {
            let mut count = 0;
            for (row, label) in (first..).zip(some) {
                let is_known = (0..classes as i64).contains(label);
                if !is_known && let Err(why) = class(*label, row, classes, self.ignored) {
                    failed = failed.take().or(Some(why));
                }
                // What is ignored gives its place to the next one.
                let class = *label as usize;
                (rows[count], places[count]) = (row, (row * classes).wrapping_add(class));
                weights[count] = of_classes.get(class).copied().unwrap_or(1.0);
                count += usize::from(is_known & (*label != self.ignored));
            }
            let (rows, places) = (&rows[..count], &places[..count]);
            let from = &mut stored.bytes_mut()[..count * size];
            match (all, size) {
                (Some(all), 4) => pick::<u32>(all, places, from),
                (Some(all), 2) => pick::<u16>(all, places, from),
                _ => {
                    for (to, place) in from.chunks_exact_mut(size).zip(places) {
                        own.gather(*place..place + 1, to);
                    }
                }
            }
            let to = &mut seen.bytes_mut()[..count * size_of::<f32>()];
            load_rows.apply_all(count, from, to, &mut between);
            visit(rows, numbers(to), &weights[..count]);
        });
        failed.map_or(Ok(()), Err)
    }
}

impl Whole for NegativeLikelihood {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([own, labels, weights], [to, ..]) = (inputs, outputs) else { return Ok(()) };
        let inputs = [own, labels, weights];
        let Some(is_mean) = self.total else {
            let mut losses = allocation::zeros::<f64>(to.numel())?;
            self.rows(inputs, |rows, x, weights| {
                for ((row, x), weight) in rows.iter().zip(x).zip(weights) {
                    losses[*row] = -f64::from(*weight) * f64::from(*x);
                }
            })?;
            return self.results.iter().try_for_each(|result| in_order::write(&losses, to, result));
        };
        let (mut loss, mut total) = (0.0, 0.0);
        self.rows(inputs, |_, x, weights| {
            let [of_losses, of_weights] = sums([x, weights], |[x, weight]| [-weight * x, weight]);
            (loss, total) = (loss + of_losses, total + of_weights);
        })?;
        let numbers = [if is_mean { loss / total } else { loss }, total];
        for ((number, output), result) in numbers.iter().zip(outputs).zip(&self.results) {
            in_order::write(&[*number], output, result)?;
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["loss"]
    }
}

/// The class of a row and its weight, which is 1 unless there are weights.
fn chosen(
    number: usize,
    classes: usize,
    label: &[u8],
    weights: &[f32],
    ignored: i64,
) -> Result<Option<(usize, f64)>> {
    let [label] = numbers::<i64>(label) else { return Ok(None) };
    let class = class(*label, number, classes, ignored)?;
    Ok(class.map(|class| (class, weights.get(class).map_or(1.0, |weight| f64::from(*weight)))))
}

/// The only number of a lane.
fn only(lane: Option<&&[u8]>) -> Option<f64> {
    lane.and_then(|lane| numbers::<f64>(lane).first().copied())
}

/// Writes a number to each output that is there.
fn write(outputs: &mut [&mut [u8]], results: &[f64]) {
    for (output, result) in outputs.iter_mut().zip(results) {
        if let [output] = numbers_mut::<f64>(output) {
            *output = *result;
        }
    }
}

/// Computes the sum of losses, over that of weights for a mean; and that of weights. Inputs: losses, weights.
pub fn weighted_total(is_mean: bool) -> LaneFunction {
    LaneFunction::new("sum", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        if let [losses, weights] = inputs {
            let [loss, weight] = [losses, weights].map(|lane| numbers::<f64>(lane).iter().sum::<f64>());
            write(outputs, &[if is_mean { loss / weight } else { loss }, weight]);
        }
        Ok(())
    })
}

/// Computes the gradient of [`NegativeLikelihood`]: zero but for the class. Inputs: class, gradient of the row,
/// weights of the classes, and what it is divided by, if there is that.
pub fn negative_likelihood_gradient(ignored: i64) -> LaneFunction {
    LaneFunction::new("gradient", move |number, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([label, grad, weights, divisor @ ..], [row]) = (inputs, outputs) else { return Ok(()) };
        let row = numbers_mut::<f32>(row);
        row.fill(0.0);
        let chosen = chosen(number, row.len(), label, numbers(weights), ignored)?;
        if let (Some((class, weight)), Some(grad)) = (chosen, only(Some(grad))) {
            row[class] = (-weight * grad / only(divisor.first()).unwrap_or(1.0)) as f32;
        }
        Ok(())
    })
}

/// Computes the logarithms of the softmax, the loss of the class, with a part `smoothing` of it for all classes alike,
/// and the weight. Inputs: rows, class, weights of the classes unless all are 1.
pub fn class_entropy(ignored: i64, smoothing: f64) -> LaneFunction {
    LaneFunction::new("loss", move |number, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([row, label, weights @ ..], [logarithms, outputs @ ..]) = (inputs, outputs) else {
            return Ok(());
        };
        let (row, logarithms) = (numbers::<f32>(row), numbers_mut::<f32>(logarithms));
        let weights = weights.first().map_or(&[][..], |weights| numbers::<f32>(weights));
        let (greatest, logarithm) = softmax::log_softmax(row, logarithms);
        let logarithm = |x: f32| f64::from(x) - greatest - logarithm;
        let chosen = chosen(number, row.len(), label, weights, ignored)?;
        let loss = chosen.map_or(0.0, |(class, weight)| {
            let own = -(1.0 - smoothing) * weight * logarithm(row[class]);
            if smoothing == 0.0 {
                return own;
            }
            let weight = |class: usize| weights.get(class).map_or(1.0, |weight| f64::from(*weight));
            let all: f64 = row.iter().enumerate().map(|(class, x)| weight(class) * logarithm(*x)).sum();
            own - smoothing / row.len() as f64 * all
        });
        write(outputs, &[loss, chosen.map_or(0.0, |(_, weight)| weight)]);
        Ok(())
    })
}

for_wide_instructions! {
    /// Powers of e times a factor.
    fn scaled_powers(from: &[f32], factor: f64, to: &mut [f32]) {
        for (to, x) in to.iter_mut().zip(from) {
            *to = (single::exp(f64::from(*x)) * factor) as f32;
        }
    }

    /// Powers of e of the distances of numbers from another, less other numbers.
    fn powers_less(from: &[f32], shift: f64, less: &[f32], to: &mut [f32]) {
        for ((to, x), less) in to.iter_mut().zip(from).zip(less) {
            *to = (single::exp(f64::from(*x) - shift) - f64::from(*less)) as f32;
        }
    }
}

/// Computes the gradient of [`class_entropy`] without smoothing. Inputs: logarithms of the softmax, class, gradient of
/// the row, what it is divided by, weights of the classes unless all are 1.
pub fn class_entropy_gradient(ignored: i64) -> LaneFunction {
    LaneFunction::new("gradient", move |number, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([logarithms, label, grad, divisor, weights @ ..], [row]) = (inputs, outputs) else {
            return Ok(());
        };
        let row = numbers_mut::<f32>(row);
        row.fill(0.0);
        let weights = weights.first().map_or(&[][..], |weights| numbers::<f32>(weights));
        let chosen = chosen(number, row.len(), label, weights, ignored)?;
        if let (Some((own, weight)), Some(grad), Some(divisor)) =
            (chosen, only(Some(grad)), only(Some(divisor)))
        {
            let (logarithms, factor) = (numbers::<f32>(logarithms), weight * grad / divisor);
            scaled_powers(logarithms, factor, row);
            row[own] = (single::exp_m1(logarithms[own].into()) * factor) as f32;
        }
        Ok(())
    })
}

/// Computes the divisor of the sum of the losses of all rows: the sum of the weights of their classes for a mean, and
/// otherwise 1. Inputs: classes, weights of the classes unless all are 1. There is an output for each row.
pub fn divisors(ignored: i64, classes: usize, is_mean: bool) -> LaneFunction {
    LaneFunction::new("sum", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([labels, weights @ ..], [divisors]) = (inputs, outputs) else { return Ok(()) };
        let weights = weights.first().map_or(&[][..], |weights| numbers::<f32>(weights));
        let mut sum = 0.0;
        for (number, label) in numbers::<i64>(labels).iter().enumerate() {
            let class = class(*label, number, classes, ignored)?;
            sum += class.map_or(0.0, |class| weights.get(class).map_or(1.0, |weight| f64::from(*weight)));
        }
        numbers_mut::<f64>(divisors).fill(if is_mean { sum } else { 1.0 });
        Ok(())
    })
}

/// Computes the sum of the distances by which the scores of a row's own classes fail to exceed those of the others by
/// 1, divided by the number of all classes; and a mark for the row's own classes. Inputs: rows, classes, of which those
/// before the first −1 count.
pub fn margin() -> LaneFunction {
    LaneFunction::new("loss", |number, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([row, labels], [loss, is_target]) = (inputs, outputs) else { return Ok(()) };
        let (row, is_target) = (numbers::<f32>(row), numbers_mut::<f64>(is_target));
        is_target.fill(0.0);
        let mut classes = Vec::new();
        for label in numbers::<i64>(labels) {
            let Some(class) = class(*label, number, row.len(), -1)? else { break };
            classes.push(class);
            is_target[class] = 1.0;
        }
        let others = || row.iter().zip(is_target.iter()).filter(|(_, is_target)| **is_target == 0.0);
        let short = |class: &usize| {
            others().map(|(x, _)| positive(1.0 - f64::from(row[*class]) + f64::from(*x))).sum::<f64>()
        };
        let sum: f64 = classes.iter().map(short).sum();
        write(&mut [loss], &[sum / row.len() as f64]);
        Ok(())
    })
}

/// The number, or 0 if it is negative.
fn positive(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

/// Computes the cross entropy of the softmax of a row and probabilities, and their difference. Inputs: rows,
/// probabilities.
pub fn soft_entropy() -> LaneFunction {
    LaneFunction::new("loss", |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        if let ([row, labels], [loss, gradient]) = (inputs, outputs) {
            let (row, labels, gradient) = (numbers(row), numbers::<f32>(labels), numbers_mut(gradient));
            let (greatest, logarithm) = softmax::log_softmax(row, gradient);
            let shift = greatest + logarithm;
            let terms = row
                .iter()
                .zip(labels)
                .map(|(x, label)| f64::from(*label) * (f64::from(*x) - greatest - logarithm));
            write(&mut [loss], &[-terms.sum::<f64>()]);
            powers_less(row, shift, labels, gradient);
        }
        Ok(())
    })
}
