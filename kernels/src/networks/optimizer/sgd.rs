//! Gradient descent with momentum.

use super::Step;
use crate::LaneBody;

/// The numbers of a step of gradient descent, as PyTorch computes it: a scaled gradient is divided by its scale
/// first, and is written back.
#[derive(Clone, Copy)]
pub struct Sgd {
    pub lr: f64,
    pub weight_decay: f64,
    pub momentum: f64,
    pub dampening: f64,
    pub nesterov: bool,
    /// Whether the gradient is climbed.
    pub maximize: bool,
    /// Whether buffers have nothing to be read yet.
    pub is_first: bool,
}

impl Sgd {
    /// Returns the step of `[var, grad, buffer]` to `[var, grad]`, and to the buffer as well if there is one; without one, the third
    /// operand is not used. Its number is the scale of the gradient, if it is scaled.
    pub fn step(self, is_scaled: bool, has_buffer: bool) -> Box<dyn LaneBody> {
        let by = move |scale: f64| self.by(scale, has_buffer);
        let without = move |scale: f64| {
            let step = by(scale);
            move |state| {
                let [var, grad, _] = step(state);
                [var, grad]
            }
        };
        match (is_scaled, has_buffer) {
            (true, true) => Step::boxed("SGD", move |[scale]: [f64; 1]| by(scale)),
            (false, true) => Step::boxed("SGD", move |[]: [f64; 0]| by(1.0)),
            (true, false) => Step::boxed("SGD", move |[scale]: [f64; 1]| without(scale)),
            (false, false) => Step::boxed("SGD", move |[]: [f64; 0]| without(1.0)),
        }
    }

    fn by(self, scale: f64, has_buffer: bool) -> impl Fn([f64; 3]) -> [f64; 3] {
        let Self { lr, weight_decay, momentum, dampening, nesterov, maximize, is_first } = self;
        move |[var, grad, buffer]| {
            let unscaled = grad / scale;
            let grad = if maximize { -unscaled } else { unscaled } + weight_decay * var;
            let buffer = if is_first { grad } else { momentum * buffer + (1.0 - dampening) * grad };
            let direction = match (has_buffer, nesterov) {
                (false, _) => grad,
                (true, true) => grad + momentum * buffer,
                (true, false) => buffer,
            };
            [var - lr * direction, unscaled, buffer]
        }
    }
}
