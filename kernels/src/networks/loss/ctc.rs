//! The connectionist temporal classification loss: how likely a sequence of labels is, over all ways to stretch it with
//! repetitions and blanks. Computed in logarithms, as PyTorch does.

use super::{numbers, numbers_mut};
use crate::LaneFunction;
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};

/// The sizes of a call, and where the labels of each sequence are.
#[derive(Clone, Debug)]
pub struct Sequences {
    pub steps: usize,
    pub classes: usize,
    /// States of a row of the logarithms of a forward pass.
    pub states: usize,
    pub blank: usize,
    /// Steps, first label and labels of each sequence.
    pub each: Vec<Sequence>,
    /// Whether the gradient of an infinite loss is zero.
    pub zeroes: bool,
}

/// One sequence.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    pub steps: usize,
    pub first: usize,
    pub labels: usize,
}

/// The logarithm of a sum of numbers whose logarithms are given.
fn log_sum<const N: usize>(logarithms: [f64; N]) -> f64 {
    let greatest =
        logarithms.into_iter().fold(f64::NEG_INFINITY, |a, b| if b > a || b.is_nan() { b } else { a });
    if greatest == f64::NEG_INFINITY {
        return greatest;
    }
    greatest + logarithms.into_iter().map(|x| (x - greatest).exp()).sum::<f64>().ln()
}

/// The logarithms of one sequence, and its labels.
struct Lattice<'a> {
    all: &'a Sequences,
    number: usize,
    own: Sequence,
    logarithms: &'a [f64],
    labels: &'a [i64],
}

impl<'a> Lattice<'a> {
    fn new(all: &'a Sequences, number: usize, logarithms: &'a [f64], labels: &'a [i64]) -> Result<Self> {
        let own = all.each[number];
        let labels = labels.get(own.first..own.first + own.labels).unwrap_or_default();
        if let Some(label) = labels.iter().find(|label| !(0..all.classes as i64).contains(*label)) {
            return Err(Failure::new(
                Cause::AiCore,
                format_args!(
                    "targets has the class {label} in sequence {number}, but classes from 0 to {} exist",
                    all.classes as i128 - 1
                ),
            ));
        }
        Ok(Self { all, number, own, logarithms, labels })
    }

    fn states(&self) -> usize {
        2 * self.own.labels + 1
    }

    /// The class of a state: blanks, and between them the labels.
    fn class(&self, state: usize) -> usize {
        if state.is_multiple_of(2) { self.all.blank } else { self.labels[state / 2] as usize }
    }

    fn logarithm(&self, step: usize, class: usize) -> f64 {
        self.logarithms[(step * self.all.each.len() + self.number) * self.all.classes + class]
    }

    /// Returns whether a path may leave out the blank before a state.
    fn skips(&self, state: usize) -> bool {
        state > 1 && self.class(state) != self.class(state - 2)
    }

    /// The logarithms of the likelihood of all beginnings that end in a state, for each step.
    fn forward(&self, to: &mut [f64]) {
        let width = self.all.states;
        to.fill(f64::NEG_INFINITY);
        for step in 0..self.own.steps {
            for state in 0..self.states() {
                let before = |back: usize| match step.checked_sub(1) {
                    Some(before) if back <= state => to[before * width + state - back],
                    _ => f64::NEG_INFINITY,
                };
                let arrives = match step {
                    0 if state < 2 => 0.0,
                    _ => {
                        let skipped = if self.skips(state) { before(2) } else { f64::NEG_INFINITY };
                        log_sum([before(0), before(1), skipped])
                    }
                };
                to[step * width + state] = arrives + self.logarithm(step, self.class(state));
            }
        }
    }

    /// The negative logarithm of the likelihood, from the last step of a forward pass.
    fn loss(&self, forward: &[f64]) -> f64 {
        let Some(last) = self.own.steps.checked_sub(1) else {
            return if self.own.labels == 0 { 0.0 } else { f64::INFINITY };
        };
        let row = &forward[last * self.all.states..][..self.states()];
        match row {
            [.., label, blank] => -log_sum([*label, *blank]),
            [blank] => -*blank,
            [] => f64::INFINITY,
        }
    }

    /// The logarithms of the likelihood of all endings that begin in a state, with the numbers of each step.
    fn backward(&self) -> Result<Vec<f64>> {
        let states = self.states();
        let mut from = allocation::zeros(self.own.steps.saturating_mul(states))?;
        from.fill(f64::NEG_INFINITY);
        for step in (0..self.own.steps).rev() {
            for state in 0..states {
                let behind = |ahead: usize| match from.get((step + 1) * states + state + ahead) {
                    Some(behind) if state + ahead < states => *behind,
                    _ => f64::NEG_INFINITY,
                };
                let leaves = if step + 1 == self.own.steps {
                    if state + 2 >= states { 0.0 } else { f64::NEG_INFINITY }
                } else {
                    let skips = state + 2 < states && self.skips(state + 2);
                    log_sum([behind(0), behind(1), if skips { behind(2) } else { f64::NEG_INFINITY }])
                };
                from[step * states + state] = leaves + self.logarithm(step, self.class(state));
            }
        }
        Ok(from)
    }
}

/// Computes the losses of all sequences, and the logarithms of their forward passes. Inputs: logarithms of
/// probabilities, labels.
pub fn losses(all: Sequences) -> LaneFunction {
    LaneFunction::new("loss", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        if let ([logarithms, labels], [losses, forward]) = (inputs, outputs) {
            let (losses, forward) = (numbers_mut::<f64>(losses), numbers_mut::<f64>(forward));
            let width = all.steps * all.states;
            for (number, (loss, forward)) in
                losses.iter_mut().zip(forward.chunks_mut(width.max(1))).enumerate()
            {
                let lattice = Lattice::new(&all, number, numbers(logarithms), numbers(labels))?;
                lattice.forward(forward);
                *loss = lattice.loss(forward);
            }
        }
        Ok(())
    })
}

/// Computes the gradient. Inputs: gradients of the losses, logarithms of probabilities, labels, losses, logarithms of
/// the forward passes.
pub fn gradient(all: Sequences) -> LaneFunction {
    LaneFunction::new("gradient", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([grads, logarithms, labels, losses, forward], [to]) = (inputs, outputs) else { return Ok(()) };
        let (grads, forward, to) = (numbers::<f64>(grads), numbers::<f64>(forward), numbers_mut::<f64>(to));
        to.fill(0.0);
        let width = all.steps * all.states;
        for (number, (grad, loss)) in grads.iter().zip(numbers::<f64>(losses)).enumerate() {
            let lattice = Lattice::new(&all, number, numbers(logarithms), numbers(labels))?;
            let forward = &forward[number * width..][..width];
            if all.zeroes && *loss == f64::INFINITY {
                continue;
            }
            let (backward, states) = (lattice.backward()?, lattice.states());
            for step in 0..lattice.own.steps {
                let place = (step * all.each.len() + number) * all.classes;
                let row = &mut to[place..place + all.classes];
                row.fill(f64::NEG_INFINITY);
                for state in 0..states {
                    let both = forward[step * all.states + state] + backward[step * states + state];
                    let sum = &mut row[lattice.class(state)];
                    *sum = log_sum([*sum, both]);
                }
                for (class, sum) in row.iter_mut().enumerate() {
                    let logarithm = lattice.logarithm(step, class);
                    *sum = (logarithm.exp() - (*sum + loss - logarithm).exp()) * grad;
                }
            }
        }
        Ok(())
    })
}
