//! Rows of norms as codes of i8. Slices of operands that are missing are empty.

use super::store;

/// The largest code.
const MOST: f32 = 127.0;

/// Returns the nearest code to a number; that of NaN is 0.
#[inline(always)]
pub(crate) fn nearest_code(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x.round_ties_even().clamp(-MOST - 1.0, MOST) }
}

/// Replaces a row, times factors of its elements where there are some, by its codes; returns their scale.
pub fn quantise_smoothed(row: &mut [f32], smooth: &[f32]) -> f32 {
    row.iter_mut().zip(smooth).for_each(|(x, smooth)| *x *= smooth);
    let scale = row.iter().fold(0.0, |most: f32, x| most.max(x.abs())) / MOST;
    row.iter_mut().for_each(|x| *x = nearest_code(*x / scale));
    scale
}

/// The quantisation of a row.
#[derive(Clone, Copy)]
pub struct Quantisation {
    /// Whether rows have scales of their own, which results; otherwise they are given.
    pub is_dynamic: bool,
    /// Whether numbers are divided by scales that are given.
    pub divides: bool,
}

impl Quantisation {
    /// Writes the codes of a row, and its scale if it has one of its own. The scales and offsets of elements are for each,
    /// one for all, or missing, which are 1 and 0.
    pub fn apply(self, row: &[f32], [scales, offsets]: [&[f32]; 2], out: &mut [f32], step: &mut [f32]) {
        for (place, (out, x)) in out.iter_mut().zip(row).enumerate() {
            let scale = at(scales, place).unwrap_or(1.0);
            let scaled = if self.divides && !self.is_dynamic { x / scale } else { x * scale };
            *out = match self.is_dynamic {
                true => scaled,
                false => nearest_code(scaled + at(offsets, place).unwrap_or(0.0)),
            };
        }
        if self.is_dynamic {
            store(step, quantise_smoothed(out, &[]).into());
        }
    }
}

/// The number of an element, of which one may stand for all.
#[inline(always)]
pub(crate) fn at(numbers: &[f32], place: usize) -> Option<f32> {
    if numbers.len() == 1 { numbers.first() } else { numbers.get(place) }.copied()
}
