//! Products of matrices of f32 inside other kernels.

/// A matrix in a slice.
#[derive(Clone, Copy)]
pub(in crate::kernels) struct Strided<'a> {
    pub(in crate::kernels) elements: &'a [f32],
    /// From row to row, and from column to column.
    pub(in crate::kernels) strides: [usize; 2],
}

impl<'a> Strided<'a> {
    /// A matrix whose rows, of so many columns, lie one after the other.
    pub(in crate::kernels) fn rows(elements: &'a [f32], columns: usize) -> Self {
        Self { elements, strides: [columns, 1] }
    }

    /// The same with rows for columns.
    pub(in crate::kernels) fn transposed(self) -> Self {
        let [row, column] = self.strides;
        Self { strides: [column, row], ..self }
    }

    /// The elements as far as a matrix of so many rows and columns reaches.
    fn reached(self, rows: usize, columns: usize) -> &'a [f32] {
        let [row, column] = self.strides;
        match rows == 0 || columns == 0 {
            true => &[],
            false => &self.elements[..(rows - 1) * row + (columns - 1) * column + 1],
        }
    }
}

/// Writes the product of an `m` × `k` and a `k` × `n` matrix, whose rows lie one after the other; with `adds` it is added to
/// what is there.
pub(in crate::kernels) fn multiply(
    [m, k, n]: [usize; 3],
    left: Strided<'_>,
    right: Strided<'_>,
    to: &mut [f32],
    adds: bool,
) {
    let to = &mut to[..m * n];
    let ([row, along], [over, column]) = (left.strides.map(signed), right.strides.map(signed));
    let (left, right) = (left.reached(m, k), right.reached(k, n));
    let beta = if adds { 1.0 } else { 0.0 };
    // SAFETY: both matrices lie in their slices, and the product in its own.
    unsafe {
        matrixmultiply::sgemm(
            m,
            k,
            n,
            1.0,
            left.as_ptr(),
            row,
            along,
            right.as_ptr(),
            over,
            column,
            beta,
            to.as_mut_ptr(),
            signed(n),
            1,
        );
    }
}

fn signed(stride: usize) -> isize {
    stride as isize
}
