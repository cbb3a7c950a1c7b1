//! Triangles whose product a square matrix is, with its rows exchanged; inverses and determinants by them.

use super::field::{Field, subtract};
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};

/// The factors of a matrix. Below the diagonal are those of the lower triangle, whose diagonal is 1, elsewhere those of the
/// upper one.
struct Factors<T> {
    elements: Vec<T>,
    /// The rows of the matrix in the order of the factors.
    rows: Vec<usize>,
    /// Whether rows were exchanged an odd number of times.
    is_odd: bool,
}

/// Eliminates column by column, by the row with the largest element. The order of the sums, their roundings and the
/// reciprocals of pivots are those of the usual libraries for small matrices, as they decide whether a matrix without an
/// inverse is found to be one.
fn factors<T: Field>(matrix: &[T], n: usize) -> Result<Factors<T>> {
    let mut elements = allocation::collect(matrix.iter().copied())?;
    let mut rows: Vec<usize> = allocation::collect(0..n)?;
    let mut column: Vec<T> = allocation::zeros(n)?;
    let mut is_odd = false;
    for k in 0..n {
        column.iter_mut().zip(elements.iter().skip(k).step_by(n)).for_each(|(to, from)| *to = *from);
        for (row, own) in elements.chunks_exact(n).enumerate().skip(1) {
            let known = row.min(k);
            let sum = dot(&own[..known], &column[..known]);
            column[row] -= sum;
        }
        let mut pivot = k;
        for row in k + 1..n {
            if column[row].modulus() > column[pivot].modulus() {
                pivot = row;
            }
        }
        if pivot != k {
            let (first, second) = elements.split_at_mut(pivot * n);
            first[k * n..][..n].swap_with_slice(&mut second[..n]);
            column.swap(k, pivot);
            rows.swap(k, pivot);
            is_odd = !is_odd;
        }
        let pivot = column[k];
        if pivot.modulus() >= f64::MIN_POSITIVE {
            let reciprocal = T::real(1.0) / pivot;
            column[k + 1..].iter_mut().for_each(|element| *element *= reciprocal);
        } else if pivot != T::zeroed() {
            column[k + 1..].iter_mut().for_each(|element| *element = *element / pivot);
        }
        elements.iter_mut().skip(k).step_by(n).zip(&column).for_each(|(to, from)| *to = *from);
    }
    Ok(Factors { elements, rows, is_odd })
}

/// The sum of products: of sixteen that run side by side, and of what is left, one after the other.
fn dot<T: Field>(a: &[T], b: &[T]) -> T {
    let ((a, last_a), (b, last_b)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    let mut sums = [T::zeroed(); 16];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += *a * *b;
        }
    }
    let sum =
        if a.is_empty() { T::zeroed() } else { sums.into_iter().fold(T::zeroed(), |sum, part| sum + part) };
    last_a.iter().zip(last_b).fold(sum, |sum, (a, b)| a.times_plus(*b, sum))
}

/// Writes the inverse of matrix `number`.
pub(super) fn inverse<T: Field>(number: usize, matrix: &[T], to: &mut [T], n: usize) -> Result {
    let Factors { elements, rows, .. } = factors(matrix, n)?;
    if let Some(k) = (0..n).find(|k| elements[k * n + k] == T::zeroed()) {
        let message = format!("matrix {number} is singular and has no inverse: pivot {k} is 0");
        return Err(Failure::new(Cause::AiCpu, message));
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
