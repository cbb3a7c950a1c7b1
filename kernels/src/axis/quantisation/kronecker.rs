//! Matrices between two others, quantised to four bits.

use super::codes::{Codes, divide, largest};
use crate::{Result, allocation};

/// Quantises `first x second`, a matrix of rows of `columns` elements, with one scale: its greatest magnitude becomes the
/// largest code, less the part that `ratio` cuts off. Returns the scale. An element of the result holds eight codes.
pub fn quantise_between(
    x: &[f32],
    [first, second]: [&[f32]; 2],
    columns: usize,
    ratio: f32,
    out: &mut [i32],
) -> Result<f32> {
    let rows = x.len() / columns.max(1);
    let mut right = allocation::zeros::<f32>(x.len())?;
    let mut both = allocation::zeros::<f32>(x.len())?;
    add_product((x, columns), (second, columns), &mut right);
    add_product((first, rows), (&right, columns), &mut both);
    let step = largest(&both) / (7.0 / ratio);
    divide(&mut both, step);
    Codes::Nibbles.write(&both, bytemuck::cast_slice_mut(out));
    Ok(step)
}

/// Adds the product of two matrices, which have rows of so many elements, to a third.
#[inline(never)]
fn add_product((a, depth): (&[f32], usize), (b, columns): (&[f32], usize), out: &mut [f32]) {
    for (to, a) in out.chunks_mut(columns.max(1)).zip(a.chunks(depth.max(1))) {
        for (factor, b) in a.iter().zip(b.chunks(columns.max(1))) {
            to.iter_mut().zip(b).for_each(|(to, b)| *to += factor * b);
        }
    }
}
