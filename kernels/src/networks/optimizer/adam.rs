//! Adam with decoupled decay of weights, and with a running mean of the parameters.

use super::Step;
use crate::LaneBody;

/// The numbers of a step of Adam with decoupled decay of weights.
#[derive(Clone, Copy)]
pub struct AdamW {
    pub lr: f64,
    pub beta1: f64,
    pub beta2: f64,
    pub weight_decay: f64,
    pub eps: f64,
    /// Whether the greatest second moment that there was counts.
    pub amsgrad: bool,
    /// Whether the gradient is climbed.
    pub maximize: bool,
}

/// An element of a parameter, its moments, the greatest second moment that there was, and its gradient.
type State = [f64; 5];

impl AdamW {
    /// Returns the function by which a step changes a state without the gradient, for powers of both betas that correct
    /// the moments.
    pub(super) fn step(self, powers: [f64; 2]) -> impl Fn(State) -> [f64; 4] {
        let Self { lr, beta1, beta2, weight_decay, eps, amsgrad, maximize } = self;
        let [first_left, second_left] = powers.map(|power| 1.0 - power);
        let [first_new, second_new] = [1.0 - beta1, 1.0 - beta2];
        let (kept, rate, root_inverse) = (1.0 - lr * weight_decay, lr / first_left, 1.0 / second_left.sqrt());
        move |[var, m, v, greatest, grad]| {
            let grad = if maximize { -grad } else { grad };
            let m = beta1.mul_add(m, first_new * grad);
            let v = beta2.mul_add(v, second_new * grad * grad);
            let greatest = if (v > greatest) | v.is_nan() { v } else { greatest };
            // Root and quotient of f32 take a fifth of the time of those of f64. The step is within two units of its last place.
            let root =
                f64::from((if amsgrad { greatest } else { v } as f32).sqrt()).mul_add(root_inverse, eps);
            [var.mul_add(kept, -rate * f64::from(m as f32 / root as f32)), m, v, greatest]
        }
    }

    /// Returns the powers of both betas.
    pub(super) fn powers(&self, exponent: f64) -> [f64; 2] {
        [self.beta1.powf(exponent), self.beta2.powf(exponent)]
    }

    /// Returns the step of `[var, m, v, greatest, grad]` to `[var, m, v, greatest]`, or without `greatest` on both sides. Its
    /// numbers are how many steps there were before, the divisor of the gradient, which is ignored unless `is_scaled`, and a flag
    /// that is 1 if nothing may change, which is ignored unless `has_flag`.
    pub fn counted(self, keeps_greatest: bool, is_scaled: bool, has_flag: bool) -> Box<dyn LaneBody> {
        let make = move |[number, scale, found]: [f64; 3]| {
            // The library's kernels count the step that they take.
            let step = self.step(self.powers(number + 1.0));
            let is_kept = has_flag && found == 1.0;
            move |[var, m, v, greatest, grad]: State| match is_kept {
                true => [var, m, v, greatest],
                false => step([var, m, v, greatest, if is_scaled { grad / scale } else { grad }]),
            }
        };
        if keeps_greatest {
            return Step::boxed("Adam", make);
        }
        Step::boxed("Adam", move |numbers| {
            let step = without_greatest(make(numbers));
            move |[var, m, v, grad]: [f64; 4]| step([var, m, v, v, grad])
        })
    }
}

/// Returns the step of `[var, m, v, greatest, grad]` to `[var, m, v]`. Its numbers are the powers of both betas before, the
/// rate, the decay of weights, both betas, and epsilon.
pub fn adam_w(amsgrad: bool, maximize: bool) -> Box<dyn LaneBody> {
    Step::boxed("Adam", move |[first, second, lr, weight_decay, beta1, beta2, eps]: [f64; 7]| {
        let adam = AdamW { lr, beta1, beta2, weight_decay, eps, amsgrad, maximize };
        without_greatest(adam.step([first * beta1, second * beta2]))
    })
}

/// The step without its last result.
fn without_greatest(step: impl Fn(State) -> [f64; 4]) -> impl Fn(State) -> [f64; 3] {
    move |state| {
        let [var, m, v, _] = step(state);
        [var, m, v]
    }
}

/// The numbers of a step of Adam that keeps a running mean of the parameters.
#[derive(Clone, Copy)]
pub struct EmaAdam {
    pub lr: f64,
    pub ema_decay: f64,
    pub beta1: f64,
    pub beta2: f64,
    pub eps: f64,
    pub weight_decay: f64,
    /// Whether weights decay by themselves, and not as a part of the gradient.
    pub is_decoupled: bool,
    /// Whether moments lose the bias of their first values.
    pub bias_correction: bool,
}

impl EmaAdam {
    /// Returns the step of `[grad, var, m, v, mean]` to `[var, m, v, mean]`, whose number is that of the step.
    pub fn numbered(self) -> Box<dyn LaneBody> {
        let Self { lr, ema_decay, beta1, beta2, eps, weight_decay, is_decoupled, bias_correction } = self;
        Step::boxed("Adam", move |[number]: [f64; 1]| {
            let [first_left, second_left] = match bias_correction {
                true => [1.0 - beta1.powf(number), 1.0 - beta2.powf(number)],
                false => [1.0; 2],
            };
            move |[grad, var, m, v, mean]: [f64; 5]| {
                let grad = if is_decoupled { grad } else { grad + weight_decay * var };
                let m = beta1 * m + (1.0 - beta1) * grad;
                let v = beta2 * v + (1.0 - beta2) * grad * grad;
                let update = m / first_left / ((v / second_left).sqrt() + eps);
                let update = if is_decoupled { update + weight_decay * var } else { update };
                let var = var - lr * update;
                [var, m, v, ema_decay * mean + (1.0 - ema_decay) * var]
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::optimizer::{Columns, each_block};
    use crate::{Choice, choose};

    /// Expected is the published formula in f64: the decay, both moments without their bias, and the step.
    #[test]
    fn a_step_is_that_of_the_formula_and_the_same_with_all_instructions() {
        let adam = AdamW {
            lr: 1e-2,
            beta1: 0.9,
            beta2: 0.999,
            weight_decay: 0.1,
            eps: 1e-8,
            amsgrad: false,
            maximize: false,
        };
        let column =
            |seed: usize| (0..131).map(|index| (index * seed % 101) as f32 / 50.0 - 1.0).collect::<Vec<_>>();
        let [var, m, grad] = [37, 53, 71].map(column);
        let v: Vec<f32> = column(29).iter().map(|x| x * x).collect();
        let columns: [&[f32]; 5] = [&var, &m, &v, &v, &grad];
        let stepped = |instructions| {
            let before = choose(Choice { instructions: Some(instructions), block: None });
            let mut results = [(); 4].map(|()| vec![0_f32; var.len()]);
            let (read, written) = (
                columns.map(|column| column.as_ptr().cast()),
                results.each_mut().map(|result| result.as_mut_ptr().cast()),
            );
            each_block(&Columns { read, written, count: var.len() }, &adam.step(adam.powers(3.0)));
            choose(before);
            results
        };
        let found = stepped(0);
        (1..4).for_each(|set| assert_eq!(found, stepped(set), "{set}"));
        for index in 0..var.len() {
            let [var, m, v, _, grad] = columns.map(|column| f64::from(column[index]));
            let (m, v) = (0.9 * m + 0.1 * grad, 0.999 * v + 0.001 * grad * grad);
            let (first, second) = (m / (1.0 - 0.9_f64.powi(3)), v / (1.0 - 0.999_f64.powi(3)));
            let exact = var - 1e-2 * 0.1 * var - 1e-2 * first / (second.sqrt() + 1e-8);
            for (found, exact) in found.iter().zip([exact, m, v]) {
                let error = (f64::from(found[index]) - exact).abs();
                assert!(error <= 3e-7 * exact.abs().max(1e-3), "{index}: {} {exact}", found[index]);
            }
        }
    }
}
