//! Matrices that lie in slices, and their products, for kernels that are made of them.

use smallvec::SmallVec;

use super::vectors;

/// A matrix, by the distances from row to row and from column to column.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a, T = f32> {
    pub elements: &'a [T],
    pub strides: [usize; 2],
}

impl<'a, T> Matrix<'a, T> {
    /// A matrix whose rows, of so many columns, lie one after the other.
    pub(crate) fn rows(elements: &'a [T], columns: usize) -> Self {
        Self { elements, strides: [columns, 1] }
    }

    /// The matrix with rows for columns.
    pub(crate) fn transposed(self) -> Self {
        let [down, across] = self.strides;
        Self { strides: [across, down], ..self }
    }

    /// The part of the matrix from a row and a column on.
    pub(crate) fn from(self, [row, column]: [usize; 2]) -> Self {
        let [down, across] = self.strides;
        let elements = self.elements.get(row * down + column * across..).unwrap_or_default();
        Self { elements, ..self }
    }

    /// Returns whether it has so many rows and columns.
    fn has(&self, rows: usize, columns: usize) -> bool {
        let last = |count: usize, stride: usize| count.saturating_sub(1).saturating_mul(stride);
        let [down, across] = self.strides;
        last(rows, down).saturating_add(last(columns, across)) < self.elements.len()
    }
}

/// Writes the products of each of some rows, of `len` elements each, and up to [`FEW`](super::FEW) vectors of as many: those of a
/// vector one after the other.
pub(crate) fn multiply_rows(rows: &[f32], len: usize, some: &[f32], to: &mut [f32]) {
    let count = rows.len() / len.max(1);
    let mut results: SmallVec<[&mut [f32]; super::FEW]> = to.chunks_mut(count.max(1)).collect();
    let some: SmallVec<[&[f32]; super::FEW]> = some.chunks(len.max(1)).collect();
    vectors::rows(vectors::Matrix::Elements(rows), &some, &mut results);
}

/// Writes the product of an `m` × `k` and a `k` × `n` matrix, row after row; with `adds` it is added to what is there. Each
/// element is summed in one order.
pub(crate) fn multiply(
    [m, k, n]: [usize; 3],
    left: Matrix<'_>,
    right: Matrix<'_>,
    to: &mut [f32],
    adds: bool,
) {
    let to = &mut to[..m * n];
    if m == 0 || n == 0 {
        return;
    }
    if k == 0 || !left.has(m, k) || !right.has(k, n) {
        debug_assert!(k == 0, "a product of [{m}, {k}] and [{k}, {n}] of other matrices");
        if !adds {
            to.fill(0.0);
        }
        return;
    }
    if let (1, false, [over, 1], [_, 1]) = (m, adds, right.strides, left.strides) {
        return vectors::columns(
            vectors::Matrix::Elements(right.elements),
            over,
            &[&left.elements[..k]],
            &mut [to],
        );
    }
    if (left.strides, right.strides, adds) == ([k, 1], [1, k], false) && m <= super::FEW {
        return multiply_rows(&right.elements[..n * k], k, &left.elements[..m * k], to);
    }
    let beta = if adds { 1.0 } else { 0.0 };
    let [[row, along], [over, column]] =
        [left.strides, right.strides].map(|strides| strides.map(|stride| stride as isize));
    let (left, right, to) = (left.elements.as_ptr(), right.elements.as_ptr(), to.as_mut_ptr());
    // SAFETY: all matrices lie in their slices.
    unsafe {
        matrixmultiply::sgemm(m, k, n, 1.0, left, row, along, right, over, column, beta, to, n as isize, 1);
    }
}

/// Subtracts the product of an `m` × `k` and a `k` × `n` matrix from one whose rows lie `down` elements apart. Each element is
/// summed in one order.
pub(crate) fn subtract_product(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, f64>,
    right: Matrix<'_, f64>,
    to: &mut [f64],
    down: usize,
) {
    if m == 0 || k == 0 || n == 0 {
        return;
    }
    let fit = left.has(m, k) && right.has(k, n) && Matrix::rows(&*to, down).has(m, n);
    debug_assert!(fit, "a product of [{m}, {k}] and [{k}, {n}] of other matrices");
    if !fit {
        return;
    }
    let [[row, along], [over, column]] =
        [left.strides, right.strides].map(|strides| strides.map(|stride| stride as isize));
    let (left, right, to) = (left.elements.as_ptr(), right.elements.as_ptr(), to.as_mut_ptr());
    // SAFETY: all matrices lie in their slices.
    unsafe {
        let down = down as isize;
        matrixmultiply::dgemm(m, k, n, -1.0, left, row, along, right, over, column, 1.0, to, down, 1);
    }
}
