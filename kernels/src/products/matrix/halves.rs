//! Products of matrices of bf16 on processors that multiply pairs of them, summed in f32.
//!
//! Twice as fast as products of f32. Such a processor takes denormal numbers as zeros.

use super::piece::{Matrices, Piece};

/// Where a piece of a product begins in its result: of its sums, or of bf16 to which they are rounded.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "nothing is multiplied there"))]
pub(super) enum Place {
    Sums(*mut f32),
    Rounded(*mut u16),
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn are_multiplied() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn multiply(_: Matrices, _: [&[u8]; 2], _: &Piece, _: Place) {
    debug_assert!(false, "no plan asks for it here");
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{are_multiplied, multiply};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;
    use std::cell::RefCell;
    use std::ptr;

    use super::{Matrices, Piece, Place};
    use crate::views::block::Line;
    use crate::views::buffer_cache::with_kept;
    use crate::views::instructions::Instructions;
    use crate::views::transpose::turned;

    /// Elements of a vector of f32, or pairs of bf16.
    const LANES: usize = 16;

    /// Rows and vectors of a tile, whose sums stay in registers.
    const ROWS: usize = 6;
    const VECTORS: usize = 4;
    const COLUMNS: usize = VECTORS * LANES;

    /// Elements along the common axis that are multiplied before the next ones, and columns of which they are packed together:
    /// half of a second-level cache.
    const DEPTH: usize = 1024;
    const PACKED: usize = 4 * COLUMNS;

    /// Elements along the common axis that are fetched before they are packed: rows far apart are not foreseen by processors.
    const AHEAD: usize = 8;

    pub(crate) fn are_multiplied() -> bool {
        Instructions::chosen() == Instructions::Bf16
    }

    /// A matrix, by the distances from one element to the next along the common axis, and across it. One of them is 1.
    #[derive(Clone, Copy)]
    struct Matrix {
        first: *const u16,
        along: usize,
        across: usize,
    }

    impl Matrix {
        fn at(self, along: usize, across: usize) -> *const u16 {
            self.first.wrapping_add(along * self.along + across * self.across)
        }
    }

    /// Memory for packed columns, packed rows, and sums of the elements so far.
    #[derive(Default)]
    struct Buffers {
        columns: Vec<Line>,
        rows: Vec<Line>,
        sums: Vec<Line>,
    }

    thread_local! {
        static BUFFERS: RefCell<Buffers> = RefCell::default();
    }

    /// The beginning of a buffer, which grows as it has to.
    fn room<T>(lines: &mut Vec<Line>, count: usize) -> *mut T {
        let count = (count * size_of::<T>()).div_ceil(Line::SIZE);
        if lines.len() < count {
            lines.resize(count, Line::ZERO);
        }
        lines.as_mut_ptr().cast()
    }

    pub(crate) fn multiply(matrices: Matrices, operands: [&[u8]; 2], piece: &Piece, to: Place) {
        let ([_, k, n], sizes) = (matrices.sizes, [piece.rows.len(), piece.columns.len()]);
        let [[down, along], [over, across]] = matrices.strides();
        let strides = [[along, down], [over, across]];
        let mut sides = [Matrix { first: ptr::null(), along: 0, across: 0 }; 2];
        for (number, side) in sides.iter_mut().enumerate() {
            let ([along, across], first) = (strides[number], matrices.first(piece)[number]);
            let elements: &[u16] = bytemuck::cast_slice(operands[number]);
            let last = first + k.saturating_sub(1) * along + sizes[number].saturating_sub(1) * across;
            if last >= elements.len() && k > 0 {
                debug_assert!(false, "a piece of other matrices");
                return;
            }
            *side = Matrix { first: elements.as_ptr().wrapping_add(first), along, across };
        }
        let [rows, columns] = sizes;
        with_kept(&BUFFERS, Buffers::default, |buffers| {
            // SAFETY: a plan asks for it where `are_multiplied`; both matrices lie in the operands; `to` is a piece of a result
            // that no other thread writes.
            unsafe { product([rows, k, columns], sides, buffers, to, n) };
        });
    }

    /// # Safety
    /// The processor has the instructions; the matrices and the piece at `to` have these sizes, its rows `down` elements apart.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    unsafe fn product(
        [m, k, n]: [usize; 3],
        [left, right]: [Matrix; 2],
        buffers: &mut Buffers,
        to: Place,
        down: usize,
    ) {
        let pairs = k.min(DEPTH).div_ceil(2);
        let columns = room(&mut buffers.columns, n.min(PACKED).next_multiple_of(COLUMNS) * pairs);
        let (sums, next, rounded) = match to {
            Place::Sums(sums) => (sums, down, None),
            Place::Rounded(to) if k <= DEPTH => (ptr::null_mut(), 0, Some(to)),
            Place::Rounded(to) => (room(&mut buffers.sums, m * n), n, Some(to)),
        };
        // A product of nothing is zeros.
        for first in (0..k.max(1)).step_by(DEPTH) {
            let (count, is_last) = ((k - first).min(DEPTH), k - first <= DEPTH);
            let left = Matrix { first: left.at(first, 0), ..left };
            let right = Matrix { first: right.at(first, 0), ..right };
            // SAFETY: by the contract, for all calls; the buffers have room, and a tile is a part of the piece.
            unsafe {
                let rows = match left.along {
                    1 => Rows { first: left.first, pair: 2, row: left.across, tile: ROWS * left.across },
                    _ => pack_rows(left, [m, count], &mut buffers.rows),
                };
                for start in (0..n).step_by(PACKED) {
                    let end = n.min(start + PACKED);
                    pack_columns(
                        Matrix { first: right.at(0, start), ..right },
                        [count, end - start],
                        columns,
                    );
                    for row in (0..m).step_by(ROWS) {
                        for column in (start..end).step_by(COLUMNS) {
                            let tile = Tile {
                                rows: rows.first.add(row / ROWS * rows.tile),
                                strides: [rows.row, rows.pair],
                                columns: columns.add((column - start) * count.div_ceil(2)),
                                count,
                                width: (end - column).min(COLUMNS),
                                sums: sums.wrapping_add(row * next + column),
                                next,
                                continues: first > 0,
                                rounded: rounded.filter(|_| is_last).map(|to| to.add(row * down + column)),
                                down,
                            };
                            let vectors = tile.width.div_ceil(LANES);
                            TILES[(m - row).min(ROWS) - 1][vectors - 1](&tile);
                        }
                    }
                }
            }
        }
    }

    /// Rows of pairs, by the distances in bf16 from a pair to the next, from a row to the next, and between tiles.
    struct Rows {
        first: *const u16,
        pair: usize,
        row: usize,
        tile: usize,
    }

    /// Packs rows whose elements do not lie one after the other, tile by tile.
    ///
    /// # Safety
    /// The processor has the instructions; the matrix has so many rows and elements in each.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn pack_rows(matrix: Matrix, [rows, count]: [usize; 2], buffer: &mut Vec<Line>) -> Rows {
        let of_a_tile = ROWS * count.div_ceil(2);
        // The last vector that is written ends behind the last tile.
        let to: *mut u32 = room(buffer, rows.div_ceil(ROWS) * of_a_tile + LANES);
        for (tile, row) in (0..rows).step_by(ROWS).enumerate() {
            for element in (0..count).step_by(2) {
                // SAFETY: by the contract; what is written behind a pair belongs to the next one, or lies behind the last.
                unsafe {
                    let pairs = interleaved(matrix, [element, count], [row, rows.min(row + ROWS)]);
                    _mm512_storeu_si512(to.add(tile * of_a_tile + element / 2 * ROWS).cast(), pairs);
                }
            }
        }
        Rows { first: to.cast(), pair: 2 * ROWS, row: 2, tile: 2 * of_a_tile }
    }

    /// Packs pairs along the common axis: of `COLUMNS` columns, then of the next ones.
    ///
    /// # Safety
    /// The processor has the instructions; the matrix has so many elements in each of so many columns; `to` has room for all
    /// of them.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn pack_columns(matrix: Matrix, [count, columns]: [usize; 2], to: *mut u32) {
        let place = |element: usize, column: usize| {
            let panel = column / COLUMNS * COLUMNS * count.div_ceil(2);
            to.wrapping_add(panel + element / 2 * COLUMNS + column % COLUMNS)
        };
        // SAFETY: by the contract.
        unsafe {
            if matrix.along == 1 && matrix.across != 1 {
                for column in (0..columns).step_by(LANES) {
                    for element in (0..count).step_by(2 * LANES) {
                        let mask = mask32(count - element);
                        let runs = std::array::from_fn(|run| match column + run < columns {
                            true => _mm512_castsi512_ps(_mm512_maskz_loadu_epi16(
                                mask,
                                matrix.at(element, column + run).cast(),
                            )),
                            false => _mm512_setzero_ps(),
                        });
                        for run in 0..LANES {
                            let next = matrix.at(element + 4 * LANES, column + run);
                            _mm_prefetch::<_MM_HINT_T0>(next.cast());
                        }
                        let pairs = (count - element).div_ceil(2);
                        for (pair, vector) in turned(runs).into_iter().enumerate().take(pairs) {
                            _mm512_store_ps(place(element + 2 * pair, column).cast(), vector);
                        }
                    }
                }
                return;
            }
            for element in (0..count).step_by(2) {
                for column in (0..columns).step_by(2 * LANES) {
                    for ahead in [AHEAD, AHEAD + 1] {
                        _mm_prefetch::<_MM_HINT_T0>(matrix.at(element + ahead, column).cast());
                    }
                }
                for column in (0..columns).step_by(LANES) {
                    let pairs = interleaved(matrix, [element, count], [column, columns]);
                    _mm512_store_si512(place(element, column).cast(), pairs);
                }
            }
        }
    }

    /// Pairs of the elements `element` and `element + 1` along the common axis, of neighbours across it from `first` to `end`,
    /// at most sixteen. The one at `count` is 0.
    ///
    /// # Safety
    /// The processor has the instructions; the matrix has the elements.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn interleaved(matrix: Matrix, [element, count]: [usize; 2], [first, end]: [usize; 2]) -> __m512i {
        if end - first >= LANES && element + 1 < count {
            // SAFETY: the matrix has all elements of both vectors.
            let [even, odd] = [element, element + 1].map(|element| unsafe {
                _mm512_cvtepu16_epi32(_mm256_loadu_si256(matrix.at(element, first).cast()))
            });
            return _mm512_or_si512(even, _mm512_slli_epi32::<16>(odd));
        }
        let mask = mask16(end - first);
        // SAFETY: the mask names elements of the matrix.
        let wide = |element: usize, mask: __mmask16| unsafe {
            _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, matrix.at(element, first).cast()))
        };
        let (even, odd) =
            (wide(element, mask), wide(element + 1, if element + 1 < count { mask } else { 0 }));
        _mm512_or_si512(even, _mm512_slli_epi32::<16>(odd))
    }

    fn mask16(count: usize) -> u16 {
        u16::MAX >> (LANES - count.min(LANES))
    }

    fn mask32(count: usize) -> u32 {
        u32::MAX >> (2 * LANES - count.min(2 * LANES))
    }

    /// Some rows and columns of a product.
    struct Tile {
        rows: *const u16,
        /// Elements from a row to the next, and from a pair to the next.
        strides: [usize; 2],
        columns: *const u32,
        /// Elements along the common axis.
        count: usize,
        /// Columns.
        width: usize,
        /// Where the sums of earlier elements are, and those of all are written unless they are rounded; the rows are `next`
        /// elements apart.
        sums: *mut f32,
        next: usize,
        continues: bool,
        /// Where rounded sums are written; the rows are `down` elements apart.
        rounded: Option<*mut u16>,
        down: usize,
    }

    /// By rows and vectors.
    const TILES: [[unsafe fn(&Tile); VECTORS]; ROWS] = {
        macro_rules! tiles {
            ($($rows:literal)*) => {
                [$([multiply_tile::<$rows, 1>, multiply_tile::<$rows, 2>, multiply_tile::<$rows, 3>, multiply_tile::<$rows, 4>]),*]
            };
        }
        tiles!(1 2 3 4 5 6)
    };

    /// # Safety
    /// The processor has the instructions; the tile has so many rows, and its last vector some of its columns.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    unsafe fn multiply_tile<const R: usize, const V: usize>(tile: &Tile) {
        let mut masks = [0; V];
        for (vector, mask) in masks.iter_mut().enumerate() {
            *mask = mask16(tile.width - LANES * vector);
        }
        let [down, along] = tile.strides;
        let (mut rows, mut columns) = (tile.rows, tile.columns);
        let mut sums = [[_mm512_setzero_ps(); V]; R];
        // SAFETY: by the contract; masks name elements of the tile, and any bits are bf16.
        unsafe {
            if tile.continues {
                for (row, sums) in sums.iter_mut().enumerate() {
                    for (vector, sum) in sums.iter_mut().enumerate() {
                        let from = tile.sums.add(row * tile.next + LANES * vector);
                        *sum = _mm512_maskz_loadu_ps(masks[vector], from);
                    }
                }
            }
            for _ in 0..tile.count / 2 {
                add_products(&mut sums, columns, |row| rows.add(row * down).cast::<u32>().read_unaligned());
                (rows, columns) = (rows.wrapping_add(along), columns.wrapping_add(COLUMNS));
            }
            if tile.count % 2 == 1 {
                add_products(&mut sums, columns, |row| rows.add(row * down).read().into());
            }
            for (row, sums) in sums.into_iter().enumerate() {
                for (vector, sum) in sums.into_iter().enumerate() {
                    match tile.rounded {
                        Some(to) => {
                            let rounded: __m256i = std::mem::transmute(_mm512_cvtneps_pbh(sum));
                            let to = to.add(row * tile.down + LANES * vector);
                            _mm256_mask_storeu_epi16(to.cast(), masks[vector], rounded);
                        }
                        None => {
                            let to = tile.sums.add(row * tile.next + LANES * vector);
                            _mm512_mask_storeu_ps(to, masks[vector], sum);
                        }
                    }
                }
            }
        }
    }

    /// Adds the products of a pair of each row and a pair of each column.
    ///
    /// # Safety
    /// The processor has the instructions; there are so many columns.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    unsafe fn add_products<const R: usize, const V: usize>(
        sums: &mut [[__m512; V]; R],
        columns: *const u32,
        pair: impl Fn(usize) -> u32,
    ) {
        let mut vectors = [_mm512_setzero_si512(); V];
        for (number, vector) in vectors.iter_mut().enumerate() {
            // SAFETY: by the contract.
            *vector = unsafe { _mm512_load_si512(columns.add(LANES * number).cast()) };
        }
        for (row, sums) in sums.iter_mut().enumerate() {
            let pair = _mm512_set1_epi32(pair(row) as i32);
            for (sum, columns) in sums.iter_mut().zip(vectors) {
                // SAFETY: any bits are bf16.
                let [pair, columns]: [__m512bh; 2] = unsafe { std::mem::transmute([pair, columns]) };
                *sum = _mm512_dpbf16_ps(*sum, pair, columns);
            }
        }
    }
}
