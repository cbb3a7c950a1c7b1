//! Products of f32 in strips: neighbouring columns are the vectors, and those of a part of the second matrix lie together.

use std::cell::RefCell;
use std::ops::Range;

use super::tile::{COLUMNS, LINES, Loops, Steps, Strip};
use crate::views::transpose::{Run, transpose};

/// Summands and columns whose elements lie together: a quarter of a second-level cache.
const DEPTH: usize = 256;
const WIDTH: usize = 256;

/// Rows for which the elements of the second matrix are not packed, if they lie row after row.
const UNPACKED_ROWS: usize = 64;

thread_local! {
    static PACKED: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

/// A matrix, by the distances from row to row and from column to column.
#[derive(Clone, Copy)]
struct Strided {
    first: *const f32,
    strides: [usize; 2],
}

impl Strided {
    /// The matrix from a row and a column on.
    fn from(self, row: usize, column: usize) -> Self {
        let [down, across] = self.strides;
        Self { first: self.first.wrapping_add(row * down + column * across), ..self }
    }

    /// The elements from the first one to the last one of so many rows and columns.
    ///
    /// # Safety
    /// The rows and columns are there, for as long as the slice is.
    unsafe fn slice<'a>(self, rows: usize, columns: usize) -> &'a [f32] {
        let [down, across] = self.strides;
        let is_empty = rows == 0 || columns == 0;
        let len = if is_empty { 0 } else { (rows - 1) * down + (columns - 1) * across + 1 };
        // SAFETY: by the contract.
        unsafe { std::slice::from_raw_parts(self.first, len) }
    }

    /// Copies some rows and columns: of thirty-two columns each, row after row.
    ///
    /// # Safety
    /// The rows and columns are there.
    unsafe fn pack(self, rows: usize, columns: usize, to: &mut [f32]) {
        let [down, across] = self.strides;
        if rows == 0 {
            return;
        }
        for (column, to) in (0..columns).step_by(COLUMNS).zip(to.chunks_mut(rows * COLUMNS)) {
            let (from, count) = (self.from(0, column), COLUMNS.min(columns - column));
            if across == 1 {
                for (row, to) in to.chunks_mut(COLUMNS).enumerate() {
                    // SAFETY: a part of a row that is there.
                    let from = unsafe { std::slice::from_raw_parts(from.from(row, 0).first, count) };
                    to[..count].copy_from_slice(from);
                }
            } else if down == 1 {
                let from = Run { first: from.first.cast(), stride: across as isize };
                let to = Run { first: to.as_mut_ptr().cast(), stride: COLUMNS as isize };
                // SAFETY: columns that are there, and as many elements of each row of the copy.
                unsafe { transpose(from, to, [count, rows], size_of::<f32>()) };
            } else {
                for (row, to) in to.chunks_mut(COLUMNS).enumerate() {
                    for (column, to) in to[..count].iter_mut().enumerate() {
                        // SAFETY: an element of the matrix.
                        *to = unsafe { *from.from(row, column).first };
                    }
                }
            }
        }
    }
}

/// Writes the product of an `m` × `k` and a `k` × `n` matrix to one whose rows lie `down` elements apart. Each element is summed
/// in one order, whatever the sizes are.
///
/// # Safety
/// The elements of the matrices may be read, and the places of the result written.
pub(super) unsafe fn multiply(
    [m, k, n]: [usize; 3],
    left: (*const f32, [usize; 2]),
    right: (*const f32, [usize; 2]),
    to: *mut f32,
    down: usize,
) {
    let [left, right] = [left, right].map(|(first, strides)| Strided { first, strides });
    let loops = Loops::fused();
    let is_direct = m <= UNPACKED_ROWS && right.strides[1] == 1 && n.is_multiple_of(COLUMNS / 2);
    PACKED.with_borrow_mut(|packed| {
        let room = if is_direct { 0 } else { k.min(DEPTH) * WIDTH.min(n.next_multiple_of(COLUMNS)) };
        packed.resize(packed.len().max(room), 0.0);
        let width = if is_direct { n.max(1) } else { WIDTH };
        for column in (0..n).step_by(width) {
            let columns = width.min(n - column);
            for start in (0..k.max(1)).step_by(DEPTH) {
                let summands = DEPTH.min(k - start);
                let from = right.from(start, column);
                let (source, step) = match is_direct {
                    // SAFETY: by the contract, from the first element of these rows to their last one.
                    true => (unsafe { from.slice(summands, columns) }, from.strides[0]),
                    false => {
                        // SAFETY: by the contract; there is room for the rows.
                        unsafe { from.pack(summands, columns, packed) };
                        (&packed[..], COLUMNS)
                    }
                };
                let (steps, along) = (Steps::apart(summands, step), Steps::apart(summands, left.strides[1]));
                for line in (0..m).step_by(LINES) {
                    let lines = LINES.min(m - line);
                    // SAFETY: by the contract.
                    let factors = unsafe { left.from(line, start).slice(lines, summands) };
                    let (across, adds) = (left.strides[0], start > 0);
                    let strip =
                        Strip { source, first: 0, steps: &steps, factors, across, along: &along, adds };
                    let to = to.wrapping_add(line * down + column);
                    let apart = if is_direct { 1 } else { summands };
                    // SAFETY: by the contract.
                    unsafe { sum(loops, strip, [lines, columns, apart], to, down) };
                }
            }
        }
    });
}

/// Computes the sums of some lines and columns, thirty-two columns at a time; of these, the elements for each summand lie so
/// far apart as those of one column are.
///
/// # Safety
/// The places of the result may be written.
unsafe fn sum(
    loops: Loops,
    strip: Strip<'_>,
    [lines, columns, apart]: [usize; 3],
    to: *mut f32,
    down: usize,
) {
    let summands: Range<usize> = 0..strip.steps.len();
    for column in (0..columns).step_by(COLUMNS) {
        let (strip, count) = (Strip { first: column * apart, ..strip }, COLUMNS.min(columns - column));
        let to = to.wrapping_add(column);
        if Loops::width(count) == count {
            // SAFETY: by the contract; as many columns are there as are computed.
            unsafe { loops.strip_at(strip, 0..lines, count, summands.clone(), to, down) };
            continue;
        }
        let mut sums = [0.0; LINES * COLUMNS];
        let own = Strip { adds: false, ..strip };
        loops.strip(own, 0..lines, count, summands.clone(), &mut sums, COLUMNS);
        for (line, sums) in sums.chunks(COLUMNS).enumerate().take(lines) {
            // SAFETY: by the contract.
            let to = unsafe { std::slice::from_raw_parts_mut(to.add(line * down), count) };
            match strip.adds {
                true => to.iter_mut().zip(sums).for_each(|(to, sum)| *to += sum),
                false => to.copy_from_slice(&sums[..count]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected are sums of nothing.
    #[test]
    fn products_without_summands_are_zeros() {
        for [m, n] in [[9, 5], [1, 16], [70, 32], [3, 0]] {
            let mut to = vec![1.0f32; m * n];
            let nothing = std::ptr::NonNull::<f32>::dangling().as_ptr().cast_const();
            // SAFETY: the matrices have no elements, and the result has its places.
            unsafe { multiply([m, 0, n], (nothing, [0, 1]), (nothing, [n, 1]), to.as_mut_ptr(), n) };
            assert!(to.iter().all(|sum| *sum == 0.0), "{m} {n}: {to:?}");
        }
    }
}
