//! Products of matrices that lie in slices, for kernels that are made of them.

use super::element::Element;
use super::vectors;

/// A matrix of f32, by the distances from row to row and from column to column.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a> {
    pub(crate) elements: &'a [f32],
    pub(crate) strides: [usize; 2],
}

impl Matrix<'_> {
    /// Whether it has so many rows and columns.
    fn has(&self, rows: usize, columns: usize) -> bool {
        let last = |count: usize, stride: usize| count.saturating_sub(1).saturating_mul(stride);
        let [down, across] = self.strides;
        last(rows, down).saturating_add(last(columns, across)) < self.elements.len()
    }
}

/// Writes the product of an `m` × `k` and a `k` × `n` matrix, of which nothing is empty, to a matrix at `to` whose rows lie
/// `down` elements apart. Each element is summed in one order.
///
/// # Safety
/// The elements at `to` are there, and nothing else uses them.
pub(crate) unsafe fn multiply(
    [m, k, n]: [usize; 3],
    left: Matrix<'_>,
    right: Matrix<'_>,
    to: *mut f32,
    down: usize,
) {
    if [m, k, n].contains(&0) || !left.has(m, k) || !right.has(k, n) {
        debug_assert!(false, "a product of [{m}, {k}] and [{k}, {n}] of other matrices");
        return;
    }
    if let (1, [over, 1], [_, 1]) = (m, right.strides, left.strides) {
        // SAFETY: by the contract; there is one row.
        let out = unsafe { std::slice::from_raw_parts_mut(to, n) };
        return vectors::columns(right.elements, over, &left.elements[..k], out);
    }
    // SAFETY: both matrices lie in their slices; `to` by the contract.
    unsafe {
        f32::multiply(
            [m, k, n],
            (left.elements.as_ptr(), left.strides),
            (right.elements.as_ptr(), right.strides),
            to,
            down,
        );
    }
}
