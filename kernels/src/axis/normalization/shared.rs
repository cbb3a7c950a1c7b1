//! Gradients of what all rows share: scales, shifts, weights and biases.

use super::{Spread, gradient, modulate_gradients};
use crate::functions::rows::number;
use crate::{Result, allocation};

/// Writes the sums of the columns of a matrix.
pub fn sum_columns(x: &[f32], out: &mut [f32]) {
    let len = out.len().max(1);
    for (place, out) in out.iter_mut().enumerate() {
        let column = x.get(place..).unwrap_or_default().iter().step_by(len);
        *out = column.map(|x| f64::from(*x)).sum::<f64>() as f32;
    }
}

/// Writes the gradients of rows that were normalised, weighted, scaled and shifted, and those of the scale, the shift, the
/// weights and the biases, which all rows share. Missing weights are 1, and missing biases 0.
pub fn gradients_of_adapted(
    [g, x, mean, rstd]: [&[f32]; 4],
    [scale, weight, bias]: [&[f32]; 3],
    [of_x, of_scale, of_shift, of_weight, of_bias]: [&mut [f32]; 5],
) -> Result {
    let len = scale.len().max(1);
    let weight = |place: usize| weight.get(place).map_or(1.0, |weight| f64::from(*weight));
    let shared = of_scale.iter_mut().zip(of_shift).zip(of_weight.iter_mut().zip(of_bias));
    for (place, (scale, ((of_scale, of_shift), (of_weight, of_bias)))) in scale.iter().zip(shared).enumerate()
    {
        let [mut total, mut product] = [0.0; 2];
        let rows = g.chunks(len).zip(x.chunks(len)).zip(mean.iter().zip(rstd));
        for ((g, x), (mean, rstd)) in rows {
            let normal = (number(x, place) - f64::from(*mean)) * f64::from(*rstd);
            total += number(g, place);
            product += number(g, place) * normal;
        }
        let factor = 1.0 + f64::from(*scale);
        *of_shift = total as f32;
        *of_scale = (product * weight(place) + total * number(bias, place)) as f32;
        *of_weight = (product * factor) as f32;
        *of_bias = (total * factor) as f32;
    }
    let mut factors = allocation::zeros::<f32>(len)?;
    for (place, (factor, scale)) in factors.iter_mut().zip(scale).enumerate() {
        *factor = ((1.0 + f64::from(*scale)) * weight(place)) as f32;
    }
    let rows = g.chunks(len).zip(x.chunks(len)).zip(of_x.chunks_mut(len)).zip(mean.iter().zip(rstd));
    for (((g, x), out), (mean, rstd)) in rows {
        gradient([g, x], (f64::from(*mean), f64::from(*rstd)), Spread::new(&factors, 1.0), true, out);
    }
    Ok(())
}

/// Writes the gradients of rows that were scaled and shifted, and those of the scale and the shift, which all rows share.
pub fn gradients_of_modulated([g, x, scale]: [&[f32]; 3], [of_x, of_scale, of_shift]: [&mut [f32]; 3]) {
    let len = scale.len().max(1);
    for (place, (of_scale, of_shift)) in of_scale.iter_mut().zip(of_shift).enumerate() {
        let [mut total, mut product] = [0.0; 2];
        for (g, x) in g.chunks(len).zip(x.chunks(len)) {
            total += number(g, place);
            product += number(g, place) * number(x, place);
        }
        (*of_shift, *of_scale) = (total as f32, product as f32);
    }
    for (out, g) in of_x.chunks_mut(len).zip(g.chunks(len)) {
        modulate_gradients(g, scale, out);
    }
}
