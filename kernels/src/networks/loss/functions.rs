//! The functions of elements: `x` is the prediction, `t` the target, `g` the gradient of the result.

pub fn smooth_l1(x: f64, t: f64, beta: f64) -> f64 {
    let distance = (x - t).abs();
    if distance < beta { 0.5 * distance * distance / beta } else { distance - 0.5 * beta }
}

pub fn smooth_l1_gradient(g: f64, x: f64, t: f64, beta: f64) -> f64 {
    let difference = x - t;
    if difference.abs() <= beta { difference / beta * g } else { sign(difference) * g }
}

/// −1, 0 or 1, and NaN for NaN.
pub fn sign(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() { x } else { x.signum() }
}

pub fn soft_margin(x: f64, t: f64) -> f64 {
    softplus(-t * x)
}

pub fn soft_margin_gradient(g: f64, x: f64, t: f64) -> f64 {
    -t * g * sigmoid(-t * x)
}

pub fn divergence(x: f64, t: f64, is_logarithm: bool) -> f64 {
    match is_logarithm {
        true => t.exp() * (t - x),
        false => times_log(t) - t * x,
    }
}

pub fn divergence_gradient(g: f64, t: f64, is_logarithm: bool) -> f64 {
    -(if is_logarithm { t.exp() } else { t }) * g
}

pub fn divergence_target_gradient(g: f64, x: f64, t: f64, is_logarithm: bool) -> f64 {
    match is_logarithm {
        true => g * (t + 1.0 - x) * t.exp(),
        false if t == 0.0 => 0.0,
        false => g * (t.ln() + 1.0 - x),
    }
}

/// `t log t`, which is 0 for 0.
fn times_log(t: f64) -> f64 {
    if t == 0.0 { 0.0 } else { t * t.ln() }
}

/// Returns the cross entropy of two probabilities, with a weight.
pub fn cross_entropy(x: f64, t: f64, weight: f64) -> f64 {
    let bounded = |logarithm: f64| if logarithm < -100.0 { -100.0 } else { logarithm };
    -weight * (t * bounded(x.ln()) + (1.0 - t) * bounded((-x).ln_1p()))
}

pub fn cross_entropy_gradient(g: f64, x: f64, t: f64, weight: f64) -> f64 {
    const LEAST: f64 = 1e-12;
    let variance = (1.0 - x) * x;
    g * (x - t) / (if variance < LEAST { LEAST } else { variance }) * weight
}

/// Returns the cross entropy of the sigmoid of `x`, where positive targets count `positive` times.
pub fn logit_entropy(x: f64, t: f64, weight: f64, positive: f64) -> f64 {
    weight * ((1.0 - t) * x + (1.0 + (positive - 1.0) * t) * softplus(-x))
}

pub fn logit_entropy_gradient(g: f64, x: f64, t: f64, weight: f64, positive: f64) -> f64 {
    g * ((positive * t + 1.0 - t) * sigmoid(x) - positive * t) * weight
}

pub fn logit_entropy_target_gradient(g: f64, x: f64, weight: f64, positive: f64) -> f64 {
    // Without weights of positive targets the logarithms cancel.
    let slope = if positive == 1.0 { -x } else { positive * softplus(-x) - softplus(x) };
    g * slope * weight
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `log(1 + e^x)`.
fn softplus(x: f64) -> f64 {
    (if x < 0.0 { 0.0 } else { x }) + (-x.abs()).exp().ln_1p()
}
