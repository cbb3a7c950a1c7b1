//! A triangle whose product with its transpose a symmetric matrix is.

use crate::views::failure::{Cause, Failure, Result};

/// Writes the lower triangle of matrix `number`, or its transpose. The upper half of the matrix is not read.
pub(super) fn cholesky(number: usize, matrix: &[f64], to: &mut [f64], n: usize, is_upper: bool) -> Result {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    to.fill(0.0);
    for row in 0..n {
        let (known, own) = to.split_at_mut(row * n);
        for (column, other) in known.chunks_exact(n).enumerate() {
            let left = matrix[row * n + column] - dot(&own[..column], other);
            own[column] = left / other[column];
        }
        let square = matrix[row * n + row] - dot(&own[..row], &own[..row]);
        // A NaN is not positive either.
        if square.is_nan() || square <= 0.0 {
            let message = format!(
                "matrix {number} is not positive-definite: element {row} of its factor is the root of {square}"
            );
            return Err(Failure::new(Cause::AiCpu, message));
        }
        own[row] = square.sqrt();
    }
    if is_upper {
        for row in 0..n {
            for column in row + 1..n {
                to.swap(row * n + column, column * n + row);
            }
        }
    }
    Ok(())
}
