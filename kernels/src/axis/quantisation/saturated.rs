//! Rows that are computed in f64 and written as the nearest numbers that a type of codes holds. The slice of an operand that
//! is missing is empty.

use super::codes::Codes;
use crate::axis::normalization::{self, gelu};
use crate::functions::rows::number;
use crate::{Result, allocation};

/// The numbers that a type of codes holds.
#[derive(Clone, Copy)]
pub struct Held {
    is_whole: bool,
    most: f32,
}

impl Held {
    /// Returns those that codes of this form have.
    pub fn of(codes: &Codes) -> Self {
        Self { is_whole: matches!(codes, Codes::Bytes), most: codes.most() }
    }

    /// The largest one.
    pub(super) fn most(self) -> f32 {
        self.most
    }

    /// Writes the nearest ones to the numbers of a row, times a factor or divided by it.
    #[inline(never)]
    pub(super) fn write(self, x: &[f32], factor: f64, divides: bool, out: &mut [f32]) {
        for (out, x) in out.iter_mut().zip(x) {
            let number = f64::from(*x);
            *out = self.nearest(if divides { number / factor } else { number * factor });
        }
    }

    /// The nearest one to a number; short floats are rounded when they are written.
    #[inline(always)]
    fn nearest(self, number: f64) -> f32 {
        match self.is_whole {
            true if number.is_nan() => 0.0,
            true => number.round_ties_even().clamp(-128.0, 127.0) as f32,
            false => (number as f32).clamp(-self.most, self.most),
        }
    }
}

/// Scales and offsets of the elements of a row: for each, one for all, or none, which are 1 and 0.
#[derive(Clone, Copy)]
pub struct Scaling<'a> {
    pub scales: &'a [f32],
    pub offsets: &'a [f32],
    /// Whether numbers are divided by the scales; otherwise they are multiplied.
    pub divides: bool,
}

impl Scaling<'_> {
    /// The nearest code of a number that is scaled and shifted. It is not inlined, to keep the library small.
    #[inline(never)]
    fn code(&self, held: Held, place: usize, number: f64) -> f32 {
        let scale = at(self.scales, place, 1.0);
        let scaled = if self.divides { number / scale } else { number * scale };
        held.nearest(scaled + at(self.offsets, place, 0.0))
    }
}

/// The number of an element, of which there may be one for all.
#[inline(always)]
fn at(numbers: &[f32], place: usize, missing: f64) -> f64 {
    normalization::at(numbers, place).map_or(missing, f64::from)
}

/// Quantises a row that is normalised by the root of the mean of its squares, weighted and shifted by `beta`; returns the
/// inverse of the root. Without `beta` nothing is added.
pub fn quantise_rms_norm(
    x: &[f32],
    [gamma, beta]: [&[f32]; 2],
    epsilon: f64,
    (scaling, held): (Scaling<'_>, Held),
    out: &mut [f32],
) -> f32 {
    let squares: f64 = x.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let root = 1.0 / (squares / x.len() as f64 + epsilon).sqrt();
    for (place, (out, (x, gamma))) in out.iter_mut().zip(x.iter().zip(gamma)).enumerate() {
        let number = f64::from(*x) * root * f64::from(*gamma) + at(beta, place, 0.0);
        *out = scaling.code(held, place, number);
    }
    root as f32
}

/// Quantises the gradients of rows that were normalised by the roots of the means of their squares, whose inverses `roots`
/// are, and writes the gradients of the weights. `dy` are the gradients of the result, of the elements `x`.
pub fn quantise_rms_norm_gradients(
    [dy, x, roots, gamma]: [&[f32]; 4],
    (scaling, held): (Scaling<'_>, Held),
    [dx, of_gamma]: [&mut [f32]; 2],
) {
    let len = gamma.len();
    let rows = || dy.chunks(len.max(1)).zip(x.chunks(len.max(1))).zip(roots);
    for (place, out) in of_gamma.iter_mut().enumerate() {
        let term = |((dy, x), root): ((&[f32], &[f32]), &f32)| {
            let [dy, x] = [dy, x].map(|row| number(row, place));
            dy * x * f64::from(*root)
        };
        *out = rows().map(term).sum::<f64>() as f32;
    }
    for (dx, ((dy, x), root)) in dx.chunks_mut(len.max(1)).zip(rows()) {
        let root = f64::from(*root);
        let pairs = || {
            let numbers = dy.iter().zip(gamma).zip(x);
            numbers.map(|((dy, gamma), x)| (f64::from(*dy) * f64::from(*gamma), f64::from(*x) * root))
        };
        let mean = pairs().map(|(g, normed)| g * normed).sum::<f64>() / len as f64;
        for (place, (dx, (g, normed))) in dx.iter_mut().zip(pairs()).enumerate() {
            *dx = scaling.code(held, place, root * (g - normed * mean));
        }
    }
}

/// Quantises the Gaussian error linear units of a row, exact ones or by tanh, times the scales; returns the step, which is 1
/// for rows without steps of their own.
pub fn quantise_gelu(
    x: &[f32],
    by_tanh: bool,
    [scales, offsets]: [&[f32]; 2],
    is_dynamic: bool,
    held: Held,
    out: &mut [f32],
) -> Result<f32> {
    let numbers =
        x.iter().enumerate().map(|(place, x)| gelu(f64::from(*x), by_tanh) * at(scales, place, 1.0));
    let shifted = Scaling { scales: &[], offsets, divides: false };
    if !is_dynamic {
        for (place, (out, number)) in out.iter_mut().zip(numbers).enumerate() {
            *out = shifted.code(held, place, number);
        }
        return Ok(1.0);
    }
    let numbers = allocation::collect(numbers)?;
    let step = numbers.iter().map(|number| number.abs()).fold(0.0, f64::max) as f32 / held.most;
    for (place, (out, number)) in out.iter_mut().zip(&numbers).enumerate() {
        let part = if step == 0.0 { 0.0 } else { number / f64::from(step) };
        *out = shifted.code(held, place, part);
    }
    Ok(step)
}
