//! Triangles whose product a square matrix is, with its rows exchanged; inverses and determinants by them.

use super::blocks::{WIDTH, put_columns, take_columns};
use super::field::Field;
use super::triangular::{self, Triangle};
use crate::products::matrix::Matrix;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::{allocation, instructions};

/// The factors of a matrix. Below the diagonal are those of the lower triangle, whose diagonal is 1, elsewhere those of the
/// upper one.
struct Factors<T> {
    elements: Vec<T>,
    /// The rows of the matrix in the order of the factors.
    rows: Vec<usize>,
    /// Whether rows were exchanged an odd number of times.
    is_odd: bool,
}

/// Eliminates column by column, by the row with the largest element, and some columns before the others. The order of the
/// sums, their roundings and the reciprocals of pivots are those of the usual libraries for small matrices, as they decide
/// whether a matrix without an inverse is found to be one.
fn factors<T: Field>(matrix: &[T], n: usize) -> Result<Factors<T>> {
    let mut elements = allocation::collect(matrix.iter().copied())?;
    let mut rows: Vec<usize> = allocation::collect(0..n)?;
    let (mut columns, mut sums) = (allocation::zeros(n * n.min(WIDTH))?, allocation::zeros(n)?);
    let mut is_odd = false;
    for first in (0..n).step_by(WIDTH) {
        let (len, width) = (n - first, WIDTH.min(n - first));
        // The columns lie one after the other here.
        let columns = &mut columns[..width * len];
        take_columns(&elements, n, first, columns);
        for k in 0..width {
            let pivot = eliminate(columns, &mut sums[..len], k);
            if pivot != k {
                columns.chunks_exact_mut(len).for_each(|column| column.swap(k, pivot));
                let (above, below) = elements.split_at_mut((first + pivot) * n);
                above[(first + k) * n..][..n].swap_with_slice(&mut below[..n]);
                rows.swap(first + k, first + pivot);
                is_odd = !is_odd;
            }
            divide(&mut columns[k * len + k..(k + 1) * len]);
        }
        put_columns(&mut elements, n, first, columns);
        let (next, rest) = (first + width, len - width);
        let (above, below) = elements.split_at_mut(next * n);
        if rest > 0 {
            let factors = Matrix { elements: &*columns, strides: [1, len] };
            triangular::solve_block(factors, &mut above[first * n..], (n, next), true, true);
            let left = factors.from([width, 0]);
            let right = Matrix::rows(&above[first * n + next..], n);
            T::subtract_product([rest, width, rest], left, right, &mut below[next..], n);
        }
    }
    Ok(Factors { elements, rows, is_odd })
}

instructions::for_instructions! {
    /// Eliminates the columns before column `k` from it. Returns the row of its largest element from there on.
    fn eliminate[T: Field](columns: &mut [T], sums: &mut [T], k: usize) -> usize {
        let len = sums.len();
        let (known, own) = columns.split_at_mut(k * len);
        let own = &mut own[..len];
        sums.fill(T::zeroed());
        for (row, factors) in known.chunks_exact(len).enumerate() {
            own[row] -= sums[row];
            let factor = own[row];
            for (sum, element) in sums[row + 1..].iter_mut().zip(&factors[row + 1..]) {
                *sum = element.times_plus(factor, *sum);
            }
        }
        own[k..].iter_mut().zip(&sums[k..]).for_each(|(element, sum)| *element -= *sum);
        let mut pivot = (k, own[k].modulus());
        for (row, element) in own.iter().enumerate().skip(k + 1) {
            let modulus = element.modulus();
            if modulus > pivot.1 {
                pivot = (row, modulus);
            }
        }
        pivot.0
    }
}

/// Divides elements by the pivot before them.
fn divide<T: Field>(column: &mut [T]) {
    let Some((pivot, below)) = column.split_first_mut() else { return };
    if pivot.modulus() >= f64::MIN_POSITIVE {
        let reciprocal = T::real(1.0) / *pivot;
        below.iter_mut().for_each(|element| *element *= reciprocal);
    } else if *pivot != T::zeroed() {
        below.iter_mut().for_each(|element| *element = *element / *pivot);
    }
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
    for is_upper in [false, true] {
        let triangle = Triangle { n, is_upper, is_transposed: false, has_ones: !is_upper };
        triangular::solve(triangle, &elements, to, n);
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
