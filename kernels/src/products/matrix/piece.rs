//! A piece of a product, and where its matrices lie.

use std::ops::Range;

/// A part of one product.
#[derive(Clone)]
pub(super) struct Piece {
    /// The numbers of both matrices.
    pub(super) pair: [usize; 2],
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
}

/// How the matrices of both operands lie in memory, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Matrices {
    /// Rows of the result, the common axis, columns.
    pub(super) sizes: [usize; 3],
    /// Whether the columns of the matrices lie one after the other instead of their rows.
    pub(super) transposed: [bool; 2],
}

impl Matrices {
    /// The distances from row to row and from column to column, of both operands.
    pub(super) fn strides(self) -> [[usize; 2]; 2] {
        let [m, k, n] = self.sizes;
        let [left, right] = self.transposed;
        [if left { [1, m] } else { [k, 1] }, if right { [1, k] } else { [n, 1] }]
    }

    /// The first elements that a piece needs of both operands.
    pub(super) fn first(self, piece: &Piece) -> [usize; 2] {
        let ([m, k, n], [[down, _], [_, across]]) = (self.sizes, self.strides());
        [
            piece.pair[0] * m * k + piece.rows.start * down,
            piece.pair[1] * k * n + piece.columns.start * across,
        ]
    }
}
