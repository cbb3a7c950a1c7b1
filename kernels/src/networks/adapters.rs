//! Adapters of low rank.

use crate::functions::rows::dot;
use crate::{Result, allocation};

/// Adds a row, times the two matrices of an adapter and a factor, to another one. Rows of the second matrix have `rank`
/// elements. Without the first matrix, the row has as many itself.
pub fn add_adapter(
    x: &[f32],
    first: Option<&[f32]>,
    (second, rank): (&[f32], usize),
    factor: f64,
    out: &mut [f32],
) -> Result {
    let mut short = allocation::zeros::<f32>(rank)?;
    match first {
        Some(first) => {
            let rows = first.chunks(x.len().max(1));
            short.iter_mut().zip(rows).for_each(|(short, row)| *short = dot(x, row) as f32);
        }
        None => short.iter_mut().zip(x).for_each(|(short, x)| *short = *x),
    }
    for (out, row) in out.iter_mut().zip(second.chunks(rank.max(1))) {
        *out = (f64::from(*out) + factor * dot(&short, row)) as f32;
    }
    Ok(())
}
