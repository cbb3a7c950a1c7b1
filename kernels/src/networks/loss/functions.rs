//! The functions of elements: `x` is the prediction, `t` the target, `g` the gradient of the result. None has a branch or a call,
//! so that the loops over them become vectors.

use super::elements::{Numbers, Results, Term};
use crate::functions::special::single::{exp, ln, ln_1p, ln_1p_exp, log_sigmoid, sigmoid};
use crate::views::instructions::{for_instructions, for_wide_instructions};

/// Declares functions that are compiled by a macro for sets of instructions: a type for each, with its parameters, the operands
/// in order, and the result.
macro_rules! terms {
    ($instructions:ident: $($(#[$doc:meta])* $Name:ident { $($field:ident: $type:ty),* } ($($x:ident),*) => $result:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $Name {
            $(pub $field: $type),*
        }

        impl Term for $Name {
            fn block(&self, operands: &[&Numbers], out: &mut Results) {
                $instructions! {
                    fn block(own: $Name, operands: &[&Numbers], out: &mut Results) {
                        let $Name { $($field),* } = own;
                        let [$($x),*] = operands else { return };
                        for (index, out) in out.iter_mut().enumerate() {
                            $(let $x = f64::from($x[index]);)*
                            *out = $result;
                        }
                    }
                }
                block(*self, operands, out);
            }
        }
    )*};
}

terms! { for_instructions:
    /// The number itself.
    Own {} (x) => x;
    SquareGradient {} (g, x, t) => 2.0 * (x - t) * g;
    Distance {} (x, t) => (x - t).abs();
    DistanceGradient {} (g, x, t) => sign(x - t) * g;
    SmoothDistanceGradient { beta: f64 } (g, x, t) => {
        let difference = x - t;
        let (near, far) = (difference / beta * g, sign(difference) * g);
        if difference.abs() <= beta { near } else { far }
    };
    /// The gradient for so small a `beta` that nothing is divided by it; `near` is the result up to that distance.
    DistanceGradientBeyond { beta: f64, near: f64 } (g, x, t) => {
        let far = sign(x - t) * g;
        if (x - t).abs() <= beta { near } else { far }
    };
    SoftMargin {} (x, t) => ln_1p_exp(-t * x);
    SoftMarginGradient {} (g, x, t) => -t * g * sigmoid(-t * x);
    /// The divergence of Kullback and Leibler.
    Divergence {} (x, t) => times_log(t) - t * x;
    DivergenceGradient {} (g, _x, t) => -t * g;
    DivergenceTargetGradient {} (g, x, t) => {
        let slope = g * (ln(t) + 1.0 - x);
        if t == 0.0 { 0.0 } else { slope }
    };
    /// The divergence from targets that are given by their logarithms.
    LogDivergence {} (x, t) => exp(t) * (t - x);
    LogDivergenceGradient {} (g, _x, t) => -exp(t) * g;
    LogDivergenceTargetGradient {} (g, x, t) => g * (t + 1.0 - x) * exp(t);
    /// The cross entropy of two probabilities, with a weight.
    CrossEntropy {} (x, t, weight) => -weight * (t * bounded(ln(x)) + (1.0 - t) * bounded(ln_1p(-x)));
    CrossEntropyGradient {} (g, x, t, weight) => {
        const LEAST: f64 = 1e-12;
        let variance = (1.0 - x) * x;
        g * (x - t) / (if variance < LEAST { LEAST } else { variance }) * weight
    };
    LogitEntropyGradient {} (g, x, t, weight, positive) => {
        g * ((positive * t + 1.0 - t) * sigmoid(x) - positive * t) * weight
    };
    LogitEntropyTargetGradient {} (g, x, _t, weight, positive) => {
        // Without weights of positive targets the logarithms cancel; with them they may almost, so that they need all digits.
        let (cancelled, slope) = (-x, log_sigmoid(-x) - positive * log_sigmoid(x));
        g * (if positive == 1.0 { cancelled } else { slope }) * weight
    };
}

terms! { for_wide_instructions:
    SmoothDistance { beta: f64 } (x, t) => smooth_distance((x - t).abs(), beta);
    Square {} (x, t) => (x - t) * (x - t);
    /// The cross entropy of the sigmoid of `x`, where positive targets count `positive` times.
    LogitEntropy {} (x, t, weight, positive) => {
        weight * ((1.0 - t) * x + (1.0 + (positive - 1.0) * t) * ln_1p_exp(-x))
    };
}

#[inline(always)]
fn smooth_distance(distance: f64, beta: f64) -> f64 {
    // The quotient is the same for all elements.
    let (near, far) = (distance * distance * (0.5 / beta), distance - 0.5 * beta);
    if distance < beta { near } else { far }
}

/// −1, 0 or 1, and NaN for NaN.
#[inline(always)]
fn sign(x: f64) -> f64 {
    let one = 1_f64.copysign(x);
    if x == 0.0 || x.is_nan() { x } else { one }
}

/// `t log t`, which is 0 for 0.
#[inline(always)]
fn times_log(t: f64) -> f64 {
    let product = t * ln(t);
    if t == 0.0 { 0.0 } else { product }
}

#[inline(always)]
fn bounded(logarithm: f64) -> f64 {
    if logarithm < -100.0 { -100.0 } else { logarithm }
}
