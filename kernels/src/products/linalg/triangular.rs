//! Equations with a triangle.

use super::field::{Field, subtract};

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
    let element = |row: usize, column: usize| match is_transposed {
        true => matrix[column * n + row],
        false => matrix[row * n + column],
    };
    let from_above = is_upper == is_transposed;
    for step in 0..n {
        let row = if from_above { step } else { n - 1 - step };
        let (above, rest) = sides.split_at_mut(row * columns);
        let (own, below) = rest.split_at_mut(columns);
        let (known, first) = if from_above { (&*above, 0) } else { (&*below, row + 1) };
        for (number, solved) in known.chunks_exact(columns).enumerate() {
            subtract(own, element(row, first + number), solved);
        }
        if !has_ones {
            let diagonal = element(row, row);
            own.iter_mut().for_each(|element| *element = *element / diagonal);
        }
    }
}
