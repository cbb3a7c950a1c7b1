//! Equations with a triangle.

use super::blocks::WIDTH;
use super::field::{Field, subtract};
use crate::products::matrix::Matrix;
use crate::views::instructions;

/// A triangle of a square matrix, and the way in which it is read.
#[derive(Clone, Copy)]
pub struct Triangle {
    pub n: usize,
    pub is_upper: bool,
    /// Whether rows count as columns; nothing is conjugated.
    pub is_transposed: bool,
    /// Whether the diagonal counts as 1, whatever it holds.
    pub has_ones: bool,
}

/// Replaces right-hand sides, `columns` of them side by side, by the solutions. The other triangle is not read; a 0 on the
/// diagonal makes infinities and NaN.
pub(super) fn solve<T: Field>(triangle: Triangle, matrix: &[T], sides: &mut [T], columns: usize) {
    let Triangle { n, is_upper, is_transposed, has_ones } = triangle;
    let matrix = Matrix::rows(matrix, n);
    let matrix = if is_transposed { matrix.transposed() } else { matrix };
    let from_above = is_upper == is_transposed;
    for solved in (0..n).step_by(WIDTH) {
        let width = WIDTH.min(n - solved);
        // What is solved before is subtracted from all rows of a block together, then they are solved one by one.
        let first = if from_above { solved } else { n - solved - width };
        let (above, rest) = sides.split_at_mut(first * columns);
        let (own, below) = rest.split_at_mut(width * columns);
        let (known, column) = if from_above { (&*above, 0) } else { (&*below, first + width) };
        if solved > 0 {
            let (left, right) = (matrix.from([first, column]), Matrix::rows(known, columns));
            T::subtract_product([width, solved, columns], left, right, own, columns);
        }
        solve_block(matrix.from([first, first]), own, (columns, 0), from_above, has_ones);
    }
}

instructions::for_instructions! {
    /// Solves equations with a triangle row by row. The first column and the distance of rows are those of the sides.
    pub(super) fn solve_block[T: Field](
        matrix: Matrix<'_, T>,
        sides: &mut [T],
        place: (usize, usize),
        from_above: bool,
        has_ones: bool,
    ) {
        let (columns, start) = place;
        let element = |row, column| matrix.elements[row * matrix.strides[0] + column * matrix.strides[1]];
        let count = sides.len() / columns;
        for step in 0..count {
            let row = if from_above { step } else { count - 1 - step };
            let (above, rest) = sides.split_at_mut(row * columns);
            let (own, below) = rest.split_at_mut(columns);
            let (known, first) = if from_above { (&*above, 0) } else { (&*below, row + 1) };
            let own = &mut own[start..];
            for (number, solved) in known.chunks_exact(columns).enumerate() {
                subtract(own, element(row, first + number), &solved[start..]);
            }
            if !has_ones {
                let diagonal = element(row, row);
                own.iter_mut().for_each(|element| *element = *element / diagonal);
            }
        }
    }
}
