//! Codes and sums of products of codes as numbers again. The operands are lanes of the same length; the slice of an operand
//! that is missing is empty.

use crate::axis::normalization::at;

/// Computes `(x + offset) scale`, or times the scale once more. Scales and offsets are for each element, or one for all;
/// without them they are 1 and 0.
pub fn dequantise(x: &[f32], [scales, offsets]: [&[f32]; 2], is_squared: bool, out: &mut [f32]) {
    for (place, (out, x)) in out.iter_mut().zip(x).enumerate() {
        let scale = at(scales, place).unwrap_or(1.0);
        let scaled = (x + at(offsets, place).unwrap_or(0.0)) * scale;
        *out = if is_squared { scaled * scale } else { scaled };
    }
}

/// Computes `((sum + whole) scale row + bias) factor` of a row of sums. `whole` are biases that are added to the sums
/// themselves. Biases that are missing are 0.
pub fn dequantise_sums(
    (sums, whole): (&[i32], &[i32]),
    scales: &[f32],
    bias: &[f32],
    [row, factor]: [f32; 2],
    out: &mut [f32],
) {
    for (place, (out, (sum, scale))) in out.iter_mut().zip(sums.iter().zip(scales)).enumerate() {
        let sum = sum.wrapping_add(whole.get(place).copied().unwrap_or(0));
        *out = (sum as f32 * scale * row + bias.get(place).copied().unwrap_or(0.0)) * factor;
    }
}

/// Computes `sum (scale row)` of a row of sums. Scales stand `step` numbers apart.
pub fn scale_sums(sums: &[i32], (scales, step): (&[f32], usize), row: f32, out: &mut [f32]) {
    let scales = scales.iter().step_by(step.max(1));
    for (out, (sum, scale)) in out.iter_mut().zip(sums.iter().zip(scales)) {
        *out = *sum as f32 * (scale * row);
    }
}

/// Adds a row of sums, times a factor, to totals in f64.
pub fn add_sums(sums: &[i32], factor: f64, totals: &mut [f64]) {
    totals.iter_mut().zip(sums).for_each(|(total, sum)| *total += f64::from(*sum) * factor);
}

/// Computes totals times the scales of their columns.
pub fn scale_totals(totals: &[f64], scales: &[f32], out: &mut [f32]) {
    for (out, (total, scale)) in out.iter_mut().zip(totals.iter().zip(scales)) {
        *out = (total * f64::from(*scale)) as f32;
    }
}

/// Computes numbers times the power of two that each group of `size` neighbours shares. A code of 255 stands for no number.
pub fn scale_by_powers(x: &[f32], powers: &[u8], size: usize, out: &mut [f32]) {
    let size = size.max(1);
    for ((out, x), code) in out.chunks_mut(size).zip(x.chunks(size)).zip(powers) {
        let power = if *code == u8::MAX { f64::NAN } else { (f64::from(*code) - 127.0).exp2() };
        out.iter_mut().zip(x).for_each(|(out, x)| *out = (f64::from(*x) * power) as f32);
    }
}
