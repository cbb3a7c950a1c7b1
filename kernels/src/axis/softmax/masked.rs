//! Softmax of rows of scores, some of which are hidden, or to which others are added. Exponentials are f64.

use crate::functions::rows::{dot, half, scaled};

/// Stands for a score that is hidden.
const HIDDEN: f32 = -10_000.0;

/// Scores that are hidden, in rows of `len`: where a mask that has each of them is not 0, and above the diagonal if they are a
/// triangle. An empty mask hides none.
#[derive(Clone, Copy)]
pub struct Mask<'a> {
    pub hidden: &'a [f32],
    pub is_triangle: bool,
    pub len: usize,
}

impl Mask<'_> {
    /// Replaces what is hidden of a row.
    #[inline(never)]
    fn hide(&self, row: usize, out: &mut [f32], by: f32) {
        let hidden = self.hidden.get(row * self.len..).unwrap_or_default();
        for (out, mask) in out.iter_mut().zip(hidden) {
            *out = if *mask != 0.0 { by } else { *out };
        }
        if self.is_triangle {
            out.iter_mut().skip(row + 1).for_each(|out| *out = by);
        }
    }
}

/// Replaces a row by its softmax.
#[inline(never)]
fn soften(row: &mut [f32]) {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exp = |x: f32| (f64::from(x) - f64::from(most)).exp();
    let sum: f64 = row.iter().map(|x| exp(*x)).sum();
    row.iter_mut().for_each(|x| *x = (exp(*x) / sum) as f32);
}

/// Writes the softmax of each row, whose scores are multiplied by a factor first, and rounded to f16 if they are halves.
pub fn masked_softmax(x: &[f32], mask: Mask<'_>, factor: f32, is_half: bool, out: &mut [f32]) {
    let len = mask.len.max(1);
    for (row, (out, x)) in out.chunks_exact_mut(len).zip(x.chunks_exact(len)).enumerate() {
        scaled(x, factor, out);
        if is_half {
            out.iter_mut().for_each(|x| *x = half(*x));
        }
        mask.hide(row, out, HIDDEN);
        soften(out);
    }
}

/// Writes the gradients of scores by those of the softmax of each row, `g`, and the softmax itself, `y`.
pub fn masked_softmax_gradients([g, y]: [&[f32]; 2], mask: Mask<'_>, factor: f64, out: &mut [f32]) {
    let len = mask.len.max(1);
    let rows = out.chunks_exact_mut(len).zip(g.chunks_exact(len).zip(y.chunks_exact(len)));
    for (row, (out, (g, y))) in rows.enumerate() {
        let sum = dot(g, y);
        for (out, (g, y)) in out.iter_mut().zip(g.iter().zip(y)) {
            *out = (f64::from(*y) * (f64::from(*g) - sum) * factor) as f32;
        }
        mask.hide(row, out, 0.0);
    }
}

/// Writes the softmax of a row of scores, times a factor, to which a mask and biases are added. A missing mask adds 0.
pub fn biased_softmax(x: &[f32], [mask, bias]: [&[f32]; 2], factor: f32, out: &mut [f32]) {
    for (index, ((out, x), bias)) in out.iter_mut().zip(x).zip(bias).enumerate() {
        *out = x * factor + mask.get(index).unwrap_or(&0.0) + bias;
    }
    soften(out);
}

/// Writes the exponentials of the distances of scores from the greatest one; returns their sum.
pub fn sum_of_exponentials(x: &[f32], most: f64, out: &mut [f32]) -> f64 {
    let mut sum = 0.0;
    for (out, x) in out.iter_mut().zip(x) {
        let exp = (f64::from(*x) - most).exp();
        *out = exp as f32;
        sum += exp;
    }
    sum
}
