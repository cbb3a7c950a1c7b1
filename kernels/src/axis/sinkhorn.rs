//! Matrices whose rows, and whose columns, have one sum.

use crate::{Result, allocation};

/// Rounds after which rows and columns are left as they are.
const ROUNDS: usize = 10_000;

/// Writes the exponentials of a matrix of rows of `width`, times factors of rows and columns by which all rows have one sum,
/// and all columns. Factors are left as they are once those of columns change by no more than `tolerance` on average.
pub fn balance(x: &[f32], width: usize, tolerance: f64, out: &mut [f32]) -> Result {
    let (width, height) = (width.max(1), x.len() / width.max(1));
    for (out, x) in out.iter_mut().zip(x) {
        *out = f64::from(*x).exp() as f32;
    }
    let mut rows = allocation::zeros::<f64>(height)?;
    let (mut columns, mut sums) = (allocation::zeros::<f64>(width)?, allocation::zeros::<f64>(width)?);
    columns.fill(1.0);
    for _ in 0..ROUNDS {
        sums.fill(0.0);
        for (factor, row) in rows.iter_mut().zip(out.chunks(width)) {
            let sum: f64 = row.iter().zip(&columns).map(|(x, column)| f64::from(*x) * column).sum();
            *factor = 1.0 / (height as f64 * (sum + 1e-8));
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += *factor * f64::from(*x));
        }
        let mut change = 0.0;
        for (column, sum) in columns.iter_mut().zip(&sums) {
            let next = 1.0 / (width as f64 * (sum + 1e-8));
            change += (*column - next).abs() / width as f64;
            *column = next;
        }
        if change.is_nan() || change <= tolerance {
            break;
        }
    }
    for (factor, row) in rows.iter().zip(out.chunks_mut(width)) {
        row.iter_mut().zip(&columns).for_each(|(x, column)| *x = (f64::from(*x) * factor * column) as f32);
    }
    Ok(())
}
