//! Products of matrices of bf16 on processors that multiply pairs of them, summed in f32.
//!
//! Twice as fast as products of f32. Such a processor takes denormal numbers as zeros.

use super::piece::{Matrices, Piece};

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn are_multiplied() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn multiply(_: Matrices, _: [&[u8]; 2], _: &Piece, _: *mut f32) {
    debug_assert!(false, "no plan asks for it here");
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{are_multiplied, multiply};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;
    use std::cell::RefCell;

    use super::{Matrices, Piece};
    use crate::kernels::instructions::Instructions;

    /// Rows and vectors of sixteen columns of a tile, whose sums stay in registers.
    const ROWS: usize = 6;
    const VECTORS: usize = 4;
    const COLUMNS: usize = VECTORS * 16;

    /// Pairs along the common axis that are multiplied before the next ones: packed tiles of them stay in the cache.
    const PAIRS: usize = 512;

    pub(in super::super) fn are_multiplied() -> bool {
        Instructions::chosen() == Instructions::Avx512 && is_x86_feature_detected!("avx512bf16")
    }

    /// Elements of a matrix, as pairs along the common axis are packed.
    #[derive(Clone, Copy)]
    struct Matrix<'a> {
        elements: &'a [u16],
        first: usize,
        /// From one element to the next along the common axis, and along the other one.
        strides: [usize; 2],
        /// Elements along both.
        sizes: [usize; 2],
    }

    thread_local! {
        static PACKED: RefCell<[Vec<u32>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
    }

    pub(in super::super) fn multiply(
        matrices: Matrices,
        [left, right]: [&[u8]; 2],
        piece: &Piece,
        to: *mut f32,
    ) {
        let ([_, k, n], [first, second]) = (matrices.sizes, matrices.first(piece));
        let [[down, along], [over, across]] = matrices.strides();
        let left = Matrix {
            elements: bytemuck::cast_slice(left),
            first,
            strides: [along, down],
            sizes: [k, piece.rows.len()],
        };
        let right = Matrix {
            elements: bytemuck::cast_slice(right),
            first: second,
            strides: [over, across],
            sizes: [k, piece.columns.len()],
        };
        PACKED.with_borrow_mut(|packed| {
            // SAFETY: a plan asks for it where `are_multiplied`; `to` is a piece of a result that no other thread writes.
            unsafe { product(left, right, packed, to, n) };
        });
    }

    /// # Safety
    /// The processor has the instructions; the piece at `to` has the sizes of the matrices, its rows `down` elements apart.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    unsafe fn product(
        left: Matrix<'_>,
        right: Matrix<'_>,
        [rows, columns]: &mut [Vec<u32>; 2],
        to: *mut f32,
        down: usize,
    ) {
        let ([k, m], n) = (left.sizes, right.sizes[1]);
        for first in (0..k).step_by(2 * PAIRS) {
            let pairs = (k - first).div_ceil(2).min(PAIRS);
            rows.resize(m.div_ceil(ROWS) * ROWS * pairs, 0);
            for (tile, packed) in rows.chunks_exact_mut(ROWS * pairs).enumerate() {
                pack::<ROWS>(left, first, tile * ROWS, packed);
            }
            columns.resize(COLUMNS * pairs, 0);
            for column in (0..n).step_by(COLUMNS) {
                pack::<COLUMNS>(right, first, column, columns);
                for (tile, rows) in rows.chunks_exact(ROWS * pairs).enumerate() {
                    let sizes = [(m - tile * ROWS).min(ROWS), (n - column).min(COLUMNS)];
                    // SAFETY: the tile is a part of the piece.
                    unsafe {
                        multiply_tile(
                            rows,
                            columns,
                            to.add(tile * ROWS * down + column),
                            down,
                            sizes,
                            first > 0,
                        )
                    };
                }
            }
        }
    }

    /// Packs pairs along the common axis from `first` on, of `N` elements of the other axis, pair by pair. What the matrix
    /// does not have is 0.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn pack<const N: usize>(matrix: Matrix<'_>, first: usize, start: usize, packed: &mut [u32]) {
        let Matrix { elements, strides: [along, across], sizes: [k, len], .. } = matrix;
        let count = (len - start).min(N);
        let begin = matrix.first + start * across;
        if along == 1 && across != 1 {
            // Pairs lie one after the other.
            packed.fill(0);
            let len = (k - first).min(packed.len() / N * 2);
            for number in 0..count {
                let start = begin + first + number * across;
                let (pairs, rest) = elements.get(start..start + len).unwrap_or_default().as_chunks::<2>();
                let (pairs, last) = (pairs.iter().map(|[a, b]| [*a, *b]), rest.iter().map(|a| [*a, 0]));
                for (pair, [a, b]) in pairs.chain(last).enumerate() {
                    packed[pair * N + number] = u32::from(a) | u32::from(b) << 16;
                }
            }
            return;
        }
        for (pair, packed) in packed.chunks_exact_mut(N).enumerate() {
            let (k0, has_second) = (first + 2 * pair, first + 2 * pair + 1 < k);
            let at = begin + k0 * along;
            packed[count..].fill(0);
            if across == 1 {
                let upper = elements.get(at..at + count).unwrap_or_default();
                let none = [0; N];
                let lower =
                    if has_second { elements.get(at + along..at + along + count) } else { none.get(..count) };
                let both = upper.iter().zip(lower.unwrap_or_default());
                packed
                    .iter_mut()
                    .zip(both)
                    .for_each(|(pair, (a, b))| *pair = u32::from(*a) | u32::from(*b) << 16);
            } else {
                for (number, pair) in packed[..count].iter_mut().enumerate() {
                    let at = at + number * across;
                    let second = if has_second { elements.get(at + along).copied() } else { None };
                    let first = elements.get(at).copied().unwrap_or(0);
                    *pair = u32::from(first) | u32::from(second.unwrap_or(0)) << 16;
                }
            }
        }
    }

    /// # Safety
    /// The processor has the instructions; the tile at `to` has these sizes.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    unsafe fn multiply_tile(
        rows: &[u32],
        columns: &[u32],
        to: *mut f32,
        down: usize,
        [m, n]: [usize; 2],
        adds: bool,
    ) {
        let masks: [__mmask16; VECTORS] =
            std::array::from_fn(|vector| ((1_u32 << n.saturating_sub(16 * vector).min(16)) - 1) as u16);
        let mut sums = [[_mm512_setzero_ps(); VECTORS]; ROWS];
        if adds {
            for (row, sums) in sums.iter_mut().enumerate().take(m) {
                for (vector, sum) in sums.iter_mut().enumerate() {
                    // SAFETY: the mask names elements of the tile.
                    *sum = unsafe {
                        _mm512_maskz_loadu_ps(masks[vector], to.wrapping_add(row * down + 16 * vector))
                    };
                }
            }
        }
        for (rows, columns) in rows.chunks_exact(ROWS).zip(columns.chunks_exact(COLUMNS)) {
            let right: [__m512bh; VECTORS] = std::array::from_fn(|vector| {
                // SAFETY: sixteen numbers of the slice; any bits are bf16.
                unsafe { std::mem::transmute(_mm512_loadu_si512(columns.as_ptr().add(16 * vector).cast())) }
            });
            for (row, sums) in rows.iter().zip(&mut sums) {
                // SAFETY: any bits are bf16.
                let left: __m512bh = unsafe { std::mem::transmute(_mm512_set1_epi32(*row as i32)) };
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = _mm512_dpbf16_ps(*sum, left, right);
                }
            }
        }
        for (row, sums) in sums.iter().enumerate().take(m) {
            for (vector, sum) in sums.iter().enumerate() {
                // SAFETY: the mask names elements of the tile.
                unsafe {
                    _mm512_mask_storeu_ps(to.wrapping_add(row * down + 16 * vector), masks[vector], *sum)
                };
            }
        }
    }
}
