//! Triangles whose product a square matrix is, with its rows exchanged; inverses and determinants by them.

use aclnn_sys::ACL_ERROR_RT_AICPU_EXCEPTION;

use super::field::{Field, subtract};
use crate::kernels::room;
use crate::status::{Result, Status};

/// The factors of a matrix. Below the diagonal are those of the lower triangle, whose diagonal is 1, elsewhere those of the
/// upper one.
struct Factors<T> {
    elements: Vec<T>,
    /// The rows of the matrix in the order of the factors.
    rows: Vec<usize>,
    /// Whether rows were exchanged an odd number of times.
    is_odd: bool,
}

/// Eliminates column by column, by the row with the largest element.
fn factors<T: Field>(matrix: &[T], n: usize) -> Result<Factors<T>> {
    let mut elements = room::collect(matrix.iter().copied())?;
    let mut rows: Vec<usize> = room::collect(0..n)?;
    let mut is_odd = false;
    for k in 0..n {
        let mut pivot = k;
        for row in k + 1..n {
            if elements[row * n + k].modulus() > elements[pivot * n + k].modulus() {
                pivot = row;
            }
        }
        if pivot != k {
            let (first, second) = elements.split_at_mut(pivot * n);
            first[k * n..][..n].swap_with_slice(&mut second[..n]);
            rows.swap(k, pivot);
            is_odd = !is_odd;
        }
        let (above, below) = elements.split_at_mut((k + 1) * n);
        let pivots = &above[k * n + k..];
        if pivots[0] == T::zeroed() {
            continue;
        }
        for row in below.chunks_exact_mut(n) {
            let factor = row[k] / pivots[0];
            row[k] = factor;
            subtract(&mut row[k + 1..], factor, &pivots[1..]);
        }
    }
    Ok(Factors { elements, rows, is_odd })
}

/// Writes the inverse of matrix `number`.
pub(super) fn inverse<T: Field>(number: usize, matrix: &[T], to: &mut [T], n: usize) -> Result {
    let Factors { elements, rows, .. } = factors(matrix, n)?;
    if let Some(k) = (0..n).find(|k| elements[k * n + k] == T::zeroed()) {
        let message = format!("matrix {number} is singular and has no inverse: pivot {k} is 0");
        return Err(Status::new(ACL_ERROR_RT_AICPU_EXCEPTION, message));
    }
    to.fill(T::zeroed());
    for (row, from) in rows.into_iter().enumerate() {
        to[row * n + from] = T::real(1.0);
    }
    for row in 1..n {
        let (known, rest) = to.split_at_mut(row * n);
        for (solved, factor) in known.chunks_exact(n).zip(&elements[row * n..]) {
            subtract(&mut rest[..n], *factor, solved);
        }
    }
    for row in (0..n).rev() {
        let (rest, known) = to.split_at_mut((row + 1) * n);
        let (own, factors) = (&mut rest[row * n..], &elements[row * n + row..(row + 1) * n]);
        for (solved, factor) in known.chunks_exact(n).zip(&factors[1..]) {
            subtract(own, *factor, solved);
        }
        own.iter_mut().for_each(|element| *element = *element / factors[0]);
    }
    Ok(())
}

/// The sign of the determinant and the logarithm of its absolute value.
pub(super) fn determinant<T: Field>(matrix: &[T], n: usize) -> Result<(T, T)> {
    let Factors { elements, is_odd, .. } = factors(matrix, n)?;
    let mut sign = T::real(if is_odd { -1.0 } else { 1.0 });
    let mut logarithm = 0.0;
    for pivot in elements.iter().step_by(n + 1) {
        sign *= pivot.sign();
        logarithm += pivot.modulus().ln();
    }
    Ok((sign, T::real(logarithm)))
}
