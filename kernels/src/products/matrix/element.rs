//! Element types of products: f32, f64, or i64, of which narrower integers keep the lower bits.

use super::strips;

/// An element of matrices that are multiplied.
pub(super) trait Element: bytemuck::Pod + Send + Sync {
    /// Writes the product of an `m` × `k` and a `k` × `n` matrix, for which the distances from row to row and from column to
    /// column are given, to one whose rows lie `down` elements apart.
    ///
    /// # Safety
    /// The places are valid for these sizes and distances.
    unsafe fn multiply(
        sizes: [usize; 3],
        left: (*const Self, [usize; 2]),
        right: (*const Self, [usize; 2]),
        to: *mut Self,
        down: usize,
    );

    fn plus(self, other: Self) -> Self;

    /// The sum with a product.
    fn plus_product(self, a: Self, b: Self) -> Self;

    fn times(self, factor: f64) -> Self;
}

macro_rules! floats {
    ($($type:ident $multiply:path;)*) => {$(
        impl Element for $type {
            unsafe fn multiply(
                sizes: [usize; 3],
                left: (*const Self, [usize; 2]),
                right: (*const Self, [usize; 2]),
                to: *mut Self,
                down: usize,
            ) {
                // SAFETY: by the contract.
                unsafe { $multiply(sizes, left, right, to, down) }
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn plus_product(self, a: Self, b: Self) -> Self {
                self + a * b
            }

            fn times(self, factor: f64) -> Self {
                self * factor as $type
            }
        }
    )*};
}

floats! {
    f32 strips::multiply;
    f64 multiply_doubles;
}

/// Computes a product of f64.
///
/// # Safety
/// That of [`Element::multiply`].
unsafe fn multiply_doubles(
    [m, k, n]: [usize; 3],
    (left, [row, along]): (*const f64, [usize; 2]),
    (right, [over, column]): (*const f64, [usize; 2]),
    to: *mut f64,
    down: usize,
) {
    let [row, along, over, column, down] = [row, along, over, column, down].map(|stride| stride as isize);
    // SAFETY: by the contract.
    unsafe { matrixmultiply::dgemm(m, k, n, 1.0, left, row, along, right, over, column, 0.0, to, down, 1) }
}

impl Element for i64 {
    unsafe fn multiply(
        [m, k, n]: [usize; 3],
        (left, [row, along]): (*const Self, [usize; 2]),
        (right, [over, column]): (*const Self, [usize; 2]),
        to: *mut Self,
        down: usize,
    ) {
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let product = |at: usize| {
                // SAFETY: by the contract.
                unsafe { (*left.add(i * row + at * along)).wrapping_mul(*right.add(at * over + j * column)) }
            };
            // SAFETY: by the contract.
            unsafe { *to.add(i * down + j) = (0..k).map(product).fold(0, i64::wrapping_add) };
        }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        self.wrapping_add(a.wrapping_mul(b))
    }

    fn times(self, factor: f64) -> Self {
        self.wrapping_mul(factor as i64)
    }
}
