//! Norms of the sums of two rows, and their gradients. Slices of operands that are missing are empty.

use super::{Spread, gradient, inverse_root, moments};
use crate::functions::rows::{add_scaled, number};
use crate::{Result, allocation};

/// Writes a row that is normalised by the root of the mean of its squares, weighted and shifted by `beta`; returns the
/// inverse of the root. What is added, in `other` and in `beta`, is 0 where it is missing. The row before the norm is written
/// to `sum`, unless `sum` is empty.
pub fn rms_norm_of_sum(
    [x, other]: [&[f32]; 2],
    [gamma, beta]: [&[f32]; 2],
    epsilon: f64,
    [out, sum]: [&mut [f32]; 2],
) -> f32 {
    let value = |(place, x): (usize, &f32)| f64::from(*x) + number(other, place);
    let squares: f64 = x.iter().enumerate().map(|x| value(x) * value(x)).sum();
    let root = 1.0 / (squares / x.len() as f64 + epsilon).sqrt();
    for (out, (x, gamma)) in out.iter_mut().zip(x.iter().enumerate().zip(gamma)) {
        *out = (value(x) * root * f64::from(*gamma) + number(beta, x.0)) as f32;
    }
    sum.iter_mut().zip(x.iter().enumerate()).for_each(|(sum, x)| *sum = value(x) as f32);
    root as f32
}

/// Writes the sum of two rows to `total`, and the sum normalised by the root of the mean of its squares, and weighted, to
/// `out`; returns the inverse of the root.
pub fn add_and_normalise([x1, x2, gamma]: [&[f32]; 3], eps: f64, [out, total]: [&mut [f32]; 2]) -> f64 {
    total.iter_mut().zip(x1.iter().zip(x2)).for_each(|(total, (x1, x2))| *total = x1 + x2);
    let inverse = inverse_root(total, eps);
    for (out, (x, gamma)) in out.iter_mut().zip(total.iter().zip(gamma)) {
        *out = (f64::from(*x) * inverse * f64::from(*gamma)) as f32;
    }
    inverse
}

/// Writes the norm of the sum of two rows and a bias, and the sum itself to `total`, unless `total` is empty.
pub fn layer_norm_of_sum(
    [x1, x2, bias]: [&[f32]; 3],
    [gamma, beta]: [&[f32]; 2],
    eps: f64,
    [out, total]: [&mut [f32]; 2],
) {
    for (place, (out, (x1, x2))) in out.iter_mut().zip(x1.iter().zip(x2)).enumerate() {
        *out = x1 + x2 + bias.get(place).unwrap_or(&0.0);
    }
    total.iter_mut().zip(out.iter()).for_each(|(total, x)| *total = *x);
    let (mean, variance) = moments(out);
    let inverse = 1.0 / (variance + eps).sqrt();
    for ((x, gamma), beta) in out.iter_mut().zip(gamma).zip(beta) {
        *x = ((f64::from(*x) - mean) * inverse * f64::from(*gamma) + f64::from(*beta)) as f32;
    }
}

/// Writes the gradients of `factor x + y` by those of its norm, `g`, plus other gradients where there are some, and, unless
/// `of_first` is empty, those of `x`.
pub fn gradients_of_sum(
    [g, x, y, gamma, other]: [&[f32]; 5],
    factor: f64,
    moments: (f64, f64),
    [of_first, out]: [&mut [f32]; 2],
) -> Result {
    let mut total = allocation::zeros::<f32>(x.len())?;
    for (total, (x, y)) in total.iter_mut().zip(x.iter().zip(y)) {
        *total = (factor * f64::from(*x) + f64::from(*y)) as f32;
    }
    gradient([g, &total], moments, Spread::new(gamma, 1.0), true, out);
    add_scaled(other, 1.0, out);
    of_first.iter_mut().zip(out.iter()).for_each(|(first, out)| *first = (factor * f64::from(*out)) as f32);
    Ok(())
}
