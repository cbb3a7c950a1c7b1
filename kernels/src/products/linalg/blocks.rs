//! Loops over rows and vectors of matrices.

use super::field::Field;
use crate::products::matrix::Matrix;
use crate::views::instructions;

/// Columns that are eliminated before the others learn of it.
pub(super) const WIDTH: usize = 32;

/// Sums that run side by side.
const LANES: usize = 16;

/// Copies columns of an `n` × `n` matrix, one after the other: those from column `first` on, from that row on.
pub(super) fn take_columns<T: Field>(elements: &[T], n: usize, first: usize, columns: &mut [T]) {
    for (number, column) in columns.chunks_exact_mut(n - first).enumerate() {
        let from = elements.iter().skip(first * n + first + number).step_by(n);
        column.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

/// Copies such columns back.
pub(super) fn put_columns<T: Field>(elements: &mut [T], n: usize, first: usize, columns: &[T]) {
    for (number, column) in columns.chunks_exact(n - first).enumerate() {
        let to = elements.iter_mut().skip(first * n + first + number).step_by(n);
        to.zip(column).for_each(|(to, from)| *to = *from);
    }
}

instructions::for_instructions! {
    /// Subtracts the product of an `m` × `k` and a `k` × `n` matrix from one whose rows lie `down` elements apart.
    pub(super) fn subtract_product[T: Field](
        sizes: [usize; 3],
        left: Matrix<'_, T>,
        right: Matrix<'_, T>,
        to: &mut [T],
        down: usize,
    ) {
        let [m, k, n] = sizes;
        for (row, to) in to.chunks_mut(down).take(m).enumerate() {
            for step in 0..k {
                let ([factor, ..], others) = (left.from([row, step]).elements, right.from([step, 0])) else { break };
                match others.strides {
                    [_, 1] => subtract(&mut to[..n], *factor, others.elements),
                    [_, across] => {
                        let others = others.elements.iter().step_by(across);
                        to[..n].iter_mut().zip(others).for_each(|(to, other)| *to -= *factor * *other);
                    }
                }
            }
        }
    }
}

/// Subtracts a multiple of a row from another one.
#[inline(always)]
pub(super) fn subtract<T: Field>(from: &mut [T], factor: T, row: &[T]) {
    from.iter_mut().zip(row).for_each(|(element, other)| *element -= factor * *other);
}

/// The product of a conjugated vector and another one, of sums that run side by side.
#[inline(always)]
pub(super) fn dot<T: Field>(a: &[T], b: &[T]) -> T {
    let ((a, last_a), (b, last_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [T::zeroed(); LANES];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a.conjugate() * *b;
        }
    }
    for (sum, (a, b)) in sums.iter_mut().zip(last_a.iter().zip(last_b)) {
        *sum += a.conjugate() * *b;
    }
    sums.into_iter().fold(T::zeroed(), |total, sum| total + sum)
}
