//! A triangle whose product with its transpose a symmetric matrix is.

use super::blocks::{WIDTH, put_columns, take_columns};
use super::field::{Field, subtract};
use crate::products::matrix::Matrix;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::{allocation, instructions};

/// Writes the lower triangle of matrix `number`, or its transpose. The upper half of the matrix is not read.
pub(super) fn cholesky(number: usize, matrix: &[f64], to: &mut [f64], n: usize, is_upper: bool) -> Result {
    to.copy_from_slice(matrix);
    let mut columns = allocation::zeros(n * n.min(WIDTH))?;
    for first in (0..n).step_by(WIDTH) {
        let (len, width) = (n - first, WIDTH.min(n - first));
        let columns = &mut columns[..width * len];
        take_columns(to, n, first, columns);
        for k in 0..width {
            let square = eliminate(columns, len, k);
            // A NaN is not positive either.
            if square.is_nan() || square <= 0.0 {
                let row = first + k;
                let message = format!(
                    "matrix {number} is not positive-definite: element {row} of its factor is the root of {square}"
                );
                return Err(Failure::new(Cause::AiCpu, message));
            }
        }
        put_columns(to, n, first, columns);
        let (next, rest) = (first + width, len - width);
        if rest > 0 {
            // Both halves, of which the upper one is not read.
            let left = Matrix { elements: &columns[width..], strides: [1, len] };
            let to = &mut to[next * n + next..];
            f64::subtract_product([rest, width, rest], left, left.transposed(), to, n);
        }
    }
    for row in 0..n {
        for column in row + 1..n {
            if is_upper {
                to[row * n + column] = to[column * n + row];
                to[column * n + row] = 0.0;
            } else {
                to[row * n + column] = 0.0;
            }
        }
    }
    Ok(())
}

instructions::for_instructions! {
    /// Eliminates the columns before column `k` from it, and divides it by the root of its element on the diagonal. Returns
    /// that element.
    fn eliminate(columns: &mut [f64], len: usize, k: usize) -> f64 {
        let (known, own) = columns.split_at_mut(k * len);
        let own = &mut own[k..len];
        for other in known.chunks_exact(len) {
            subtract(own, other[k], &other[k..]);
        }
        let (square, root) = (own[0], own[0].sqrt());
        own.iter_mut().for_each(|element| *element /= root);
        own[0] = root;
        square
    }
}
