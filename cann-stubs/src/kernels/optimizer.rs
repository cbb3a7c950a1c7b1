//! The steps of optimizers: some results of the elements at one position of some operands.

use aclnn_numerics::DType;
use bytemuck::{try_cast_slice, try_cast_slice_mut};
use smallvec::SmallVec;

use super::{LaneBody, Panel};
use crate::status::Result;

/// The type that a [`Step`] reads and writes.
pub(crate) const SEEN: DType = DType::F32;

/// A function of `I` elements of f32 at one position, with `O` results, computed in f64.
pub(crate) struct Step<F, const I: usize, const O: usize> {
    name: &'static str,
    function: F,
}

impl<F: Fn([f64; I]) -> [f64; O], const I: usize, const O: usize> Step<F, I, O> {
    /// `name` says in a word or two what it computes.
    pub(crate) fn new(name: &'static str, function: F) -> Self {
        Self { name, function }
    }

    fn each(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Option<()> {
        let mut columns: [&[f32]; I] = [&[]; I];
        for (column, input) in columns.iter_mut().zip(inputs) {
            *column = try_cast_slice(input).ok()?;
        }
        let mut results: SmallVec<[&mut [f32]; 4]> =
            outputs.iter_mut().map(|output| try_cast_slice_mut(output).ok()).collect::<Option<_>>()?;
        let count = columns.iter().map(|column| column.len()).min()?;
        for index in 0..count {
            let made = (self.function)(columns.map(|column| column[index].into()));
            for (result, made) in results.iter_mut().zip(made) {
                *result.get_mut(index)? = made as f32;
            }
        }
        Some(())
    }
}

impl<F: Fn([f64; I]) -> [f64; O] + Send + Sync, const I: usize, const O: usize> LaneBody for Step<F, I, O> {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let done = self.each(inputs, outputs);
        debug_assert!(done.is_some(), "lanes are aligned and of one length");
        Ok(())
    }

    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        self.lane(panel.first, panel.inputs, panel.outputs)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec![self.name]
    }
}

/// What a step of Adam with decoupled decay of weights is computed with.
#[derive(Clone, Copy)]
pub(crate) struct AdamW {
    pub(crate) lr: f64,
    pub(crate) beta1: f64,
    pub(crate) beta2: f64,
    pub(crate) weight_decay: f64,
    pub(crate) eps: f64,
    /// Whether the greatest second moment that there was counts.
    pub(crate) amsgrad: bool,
    /// Whether the gradient is climbed.
    pub(crate) maximize: bool,
}

/// An element of a parameter with its moments and the greatest second moment that there was.
pub(crate) type State = [f64; 4];

impl AdamW {
    /// The state after a step, for powers of both betas that correct the moments.
    pub(crate) fn step(&self, [var, m, v, greatest]: State, grad: f64, powers: [f64; 2]) -> State {
        let Self { lr, beta1, beta2, weight_decay, eps, .. } = *self;
        let grad = if self.maximize { -grad } else { grad };
        let m = beta1 * m + (1.0 - beta1) * grad;
        let v = beta2 * v + (1.0 - beta2) * grad * grad;
        let greatest = if v > greatest || v.is_nan() { v } else { greatest };
        let second = if self.amsgrad { greatest } else { v };
        let [first_left, second_left] = powers.map(|power| 1.0 - power);
        let root = second.sqrt() / second_left.sqrt() + eps;
        [var * (1.0 - lr * weight_decay) - lr / first_left * m / root, m, v, greatest]
    }

    /// The powers of both betas.
    pub(crate) fn powers(&self, exponent: f64) -> [f64; 2] {
        [self.beta1.powf(exponent), self.beta2.powf(exponent)]
    }
}
