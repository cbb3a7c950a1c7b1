//! What norms and their gradients compute of the elements of a row or a channel.
//!
//! Each is compiled here, for every set of instructions. The rules of operators pass no closures; a rounding is a plain function.

use super::{Spread, silu, sum, weighted};

/// No weights or biases, for functions that ignore them.
const NONE: Spread<'static> = Spread { numbers: &[], missing: 0.0 };

/// Returns the sum of some numbers.
pub fn sum_of(x: &[f32]) -> f64 {
    sum([x], |[x]| x)
}

/// Returns the sum of the squares of some numbers.
pub fn sum_of_squares(x: &[f32]) -> f64 {
    sum([x], |[x]| x * x)
}

/// Returns the inverse of the root of the mean of squares, to which `eps` is added.
pub fn inverse_root(x: &[f32], eps: f64) -> f64 {
    1.0 / (sum_of_squares(x) / x.len() as f64 + eps).sqrt()
}

/// Returns the sum of the products of two rows.
pub fn sum_of_products(x: &[f32], y: &[f32]) -> f64 {
    sum([x, y], |[x, y]| x * y)
}

/// Returns the sum of the products of three rows.
pub fn sum_of_triple_products(x: &[f32], y: &[f32], z: &[f32]) -> f64 {
    sum([x, y, z], |[x, y, z]| x * y * z)
}

/// Returns the sum of the gradients times the normalised elements, `g (x − mean) inverse`.
pub fn sum_of_gradients_by_normalised(g: &[f32], x: &[f32], mean: f64, inverse: f64) -> f64 {
    sum([g, x], |[g, x]| g * (x - mean) * inverse)
}

/// Returns the sum of `g (factor x + y − mean) rstd`, with a mean and an inverse deviation for each element.
pub fn sum_of_gradients_by_normalised_sums([g, x, y, mean, rstd]: [&[f32]; 5], factor: f64) -> f64 {
    sum([g, x, y, mean, rstd], |[g, x, y, mean, rstd]| g * (factor * x + y - mean) * rstd)
}

/// Returns the sum of squared distances from a mean in parts. Each part has a mean, a number of
/// elements, and the inverse deviation of a variance to which `eps` was added.
pub fn sum_of_parts(means: &[f32], spreads: &[f32], counts: &[f32], mean: f64, eps: f64) -> f64 {
    sum([means, spreads, counts], |[of_part, spread, count]| {
        count * (1.0 / (spread * spread) - eps + (of_part - mean) * (of_part - mean))
    })
}

/// Writes `x inverse (w + added)`: `added` is 1 where a weight is stored as its distance from 1.
pub fn scale(x: &[f32], inverse: f64, weights: &[f32], added: f64, out: &mut [f32]) {
    weighted([x], Spread::new(weights, 1.0), NONE, out, |[x], weight, _| x * inverse * (weight + added));
}

/// Writes `x inverse w`, where `rounded` is applied before the weight.
pub fn scale_rounded(x: &[f32], inverse: f64, weights: &[f32], rounded: fn(f64) -> f64, out: &mut [f32]) {
    weighted([x], Spread::new(weights, 1.0), NONE, out, |[x], weight, _| rounded(x * inverse) * weight);
}

/// Writes the sums of two rows, rounded.
pub fn add_rounded(x: &[f32], y: &[f32], rounded: fn(f64) -> f64, out: &mut [f32]) {
    weighted([x, y], NONE, NONE, out, |[x, y], _, _| rounded(x + y));
}

/// Writes `factor x + y + b`.
pub fn add_scaled(factor: f64, x: &[f32], y: &[f32], biases: &[f32], out: &mut [f32]) {
    weighted([x, y], NONE, Spread::new(biases, 0.0), out, |[x, y], _, bias| factor * x + y + bias);
}

/// Writes `g w factor`.
pub fn scale_gradients(g: &[f32], weights: Spread<'_>, factor: f64, out: &mut [f32]) {
    weighted([g], weights, NONE, out, |[g], weight, _| g * weight * factor);
}

/// Writes `x (1 + scale) + shift`.
pub fn modulate(x: &[f32], scale: &[f32], shift: &[f32], out: &mut [f32]) {
    let (scale, shift) = (Spread::new(scale, 0.0), Spread::new(shift, 0.0));
    weighted([x], scale, shift, out, |[x], scale, shift| x * (1.0 + scale) + shift);
}

/// Writes `g (1 + scale)`, the gradients of [`modulate`].
pub fn modulate_gradients(g: &[f32], scale: &[f32], out: &mut [f32]) {
    weighted([g, scale], NONE, NONE, out, |[g, scale], _, _| g * (1.0 + scale));
}

/// Writes a row that is normalised, weighted, scaled and shifted.
pub fn adapt(
    [x, scale, shift]: [&[f32]; 3],
    (mean, inverse): (f64, f64),
    [weights, biases]: [Spread<'_>; 2],
    out: &mut [f32],
) {
    weighted([x, scale, shift], weights, biases, out, |[x, scale, shift], weight, bias| {
        ((x - mean) * inverse * weight + bias) * (1.0 + scale) + shift
    });
}

/// Writes `y σ(factor y)` of each normalised, weighted element `y`.
pub fn normalise_and_swish(
    x: &[f32],
    (mean, inverse): (f64, f64),
    [weights, biases]: [Spread<'_>; 2],
    factor: f64,
    out: &mut [f32],
) {
    let affine = |x: f64, weight: f64, bias: f64| (x - mean) * inverse * weight + bias;
    if factor == 1.0 {
        weighted([x], weights, biases, out, |[x], weight, bias| silu(affine(x, weight, bias)));
    } else {
        weighted([x], weights, biases, out, |[x], weight, bias| {
            let y = affine(x, weight, bias);
            y / (1.0 + (-factor * y).exp())
        });
    }
}

/// Writes the gradients of `y σ(factor y)`, where `y` is the normalised, weighted element.
pub fn swish_gradients(
    [g, x]: [&[f32]; 2],
    (mean, inverse): (f64, f64),
    [weights, biases]: [Spread<'_>; 2],
    factor: f64,
    out: &mut [f32],
) {
    weighted([g, x], weights, biases, out, |[g, x], weight, bias| {
        let y = (x - mean) * inverse * weight + bias;
        let s = 1.0 / (1.0 + (-factor * y).exp());
        g * s * (1.0 + factor * y * (1.0 - s))
    });
}

/// Writes `(g − of_gradients − (x − mean) of_products) inverse w`: the gradients of a channel by the means of its gradients
/// and of their products, which other devices share.
pub fn channel_gradients(
    [g, x]: [&[f32]; 2],
    (mean, inverse): (f64, f64),
    [of_gradients, of_products]: [f64; 2],
    weights: Spread<'_>,
    out: &mut [f32],
) {
    weighted([g, x], weights, NONE, out, |[g, x], weight, _| {
        (g - of_gradients - (x - mean) * of_products) * inverse * weight
    });
}
