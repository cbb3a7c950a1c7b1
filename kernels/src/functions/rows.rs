//! Rows of f32: their sums and products, and what is made of their elements in f64 and rounded once.

use aclnn_numerics::f16;

/// Rounds a number to f16. It is not inlined: a conversion that looks for instructions first is long.
#[inline(never)]
pub fn half(x: f32) -> f32 {
    f16::from_f32(x).to_f32()
}

/// Returns the number at a place of a row, and 0 where there is none.
#[inline(always)]
pub(crate) fn number(row: &[f32], place: usize) -> f64 {
    row.get(place).map_or(0.0, |number| f64::from(*number))
}

/// Computes `x factor + y`.
pub fn multiply_add(x: &[f32], factor: f32, y: &[f32], out: &mut [f32]) {
    for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
        *out = (f64::from(*x) * f64::from(factor) + f64::from(*y)) as f32;
    }
}

/// Computes `(x + y) / divisor`.
pub fn add_divide([x, y]: [&[f32]; 2], divisor: f64, out: &mut [f32]) {
    for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
        *out = ((f64::from(*x) + f64::from(*y)) / divisor) as f32;
    }
}

/// Blends images by a mask, where 1 is the foreground: `background (1 − mask) + foreground mask`.
pub fn blend([background, foreground, mask]: [&[f32]; 3], out: &mut [f32]) {
    let numbers = background.iter().zip(foreground).zip(mask);
    for (out, ((background, foreground), mask)) in out.iter_mut().zip(numbers) {
        let [background, foreground, mask] = [background, foreground, mask].map(|x| f64::from(*x));
        *out = (background * (1.0 - mask) + foreground * mask) as f32;
    }
}

/// The greatest number of a channel.
const OPAQUE: f64 = 255.0;

/// Blends channels of bytes with those of a frame by how opaque they are, without fractions. A missing frame is black.
pub fn blend_channels([x, alpha, frame]: [&[f32]; 3], out: &mut [f32]) {
    for (place, (out, (x, alpha))) in out.iter_mut().zip(x.iter().zip(alpha)).enumerate() {
        let (x, alpha) = (f64::from(*x), f64::from(*alpha));
        let frame = number(frame, place);
        *out = ((x * alpha + frame * (OPAQUE - alpha)) / OPAQUE).floor() as f32;
    }
}

/// Returns the sum of the products of two rows, which are added in f64, one after the other.
#[inline(never)]
pub fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// Computes the sums of two rows, in f32.
pub fn add_pairs(x: &[f32], y: &[f32], out: &mut [f32]) {
    out.iter_mut().zip(x.iter().zip(y)).for_each(|(out, (x, y))| *out = x + y);
}

/// Adds a row, times a factor, to sums, in f32.
#[inline(never)]
pub fn add_scaled(x: &[f32], factor: f32, sums: &mut [f32]) {
    sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += factor * x);
}

/// Computes a row times a factor, in f32.
pub fn scaled(x: &[f32], factor: f32, out: &mut [f32]) {
    out.iter_mut().zip(x).for_each(|(out, x)| *out = factor * x);
}

/// Adds a row of biases to each row of sums, in f32. An empty row adds nothing.
pub fn add_to_rows(biases: &[f32], sums: &mut [f32]) {
    if biases.is_empty() {
        return;
    }
    for row in sums.chunks_mut(biases.len()) {
        row.iter_mut().zip(biases).for_each(|(x, bias)| *x += bias);
    }
}

/// Replaces rows of `len` sums and biases by a function of them. An empty row of biases adds 0.
pub fn map_rows(function: fn(f64) -> f64, len: usize, biases: &[f32], rows: &mut [f32]) {
    for row in rows.chunks_mut(len.max(1)) {
        for (place, x) in row.iter_mut().enumerate() {
            let sum = f64::from(*x) + number(biases, place);
            *x = function(sum) as f32;
        }
    }
}

/// Replaces rows of `len` numbers by a function of the first `short` of them, times the next ones if rows are gated. The
/// results lie one after the other where the rows begin.
pub fn gate_rows(function: fn(f64) -> f64, [len, short]: [usize; 2], is_gated: bool, rows: &mut [f32]) {
    for row in 0..rows.len() / len.max(1) {
        for place in 0..short {
            let activated = function(number(rows, row * len + place));
            let result =
                if is_gated { activated * number(rows, row * len + place + short) } else { activated };
            if let Some(out) = rows.get_mut(row * short + place) {
                *out = result as f32;
            }
        }
    }
}
