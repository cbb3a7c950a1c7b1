//! Matrices whose elements lie in blocks: the storage format FRACTAL_NZ of an operand that is read.
//!
//! Such a tensor has the sizes and strides of a plain one, and says by the sizes of its storage where its elements are. Programs
//! also give that format to weights that lie plainly, as those that TransMatmulWeight leaves; their storage has other sizes.

use aclnn_numerics::DType::{self, U8, U16, U32, U64};
use cann_kernels::{LaneFunction, View};
use smallvec::SmallVec;

/// Rows of a block.
const ROWS: usize = 16;

/// The blocks of matrices.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    rows: usize,
    columns: usize,
    /// Columns of a block.
    block: usize,
    /// Blocks from the first row to the last one, and from the first column to the last one.
    down: usize,
    across: usize,
    /// All elements in memory.
    pub(super) numel: usize,
}

impl Blocks {
    /// The blocks of matrices of so many rows and columns, of these storage sizes; `None` if they do not go together.
    pub(super) fn of(rows: usize, columns: usize, storage: &[i64]) -> Option<Self> {
        let size = |size: &i64| usize::try_from(*size).ok();
        let storage: SmallVec<[usize; 8]> = storage.iter().map(size).collect::<Option<_>>()?;
        let [.., across, down, _, block] = storage[..] else { return None };
        let numel = storage.iter().try_fold(1_usize, |count, size| count.checked_mul(*size))?;
        let fits = numel.checked_mul(16).is_some_and(|bytes| isize::try_from(bytes).is_ok());
        let is_whole = block > 0 && columns.div_ceil(block) == across && rows.div_ceil(ROWS) == down;
        (fits && is_whole).then_some(Self { rows, columns, block, down, across, numel })
    }

    /// The place of an element, by its number in the plain format.
    fn place(&self, number: usize) -> usize {
        let (row, column) = (number / self.columns % self.rows, number % self.columns);
        let matrix = number / self.columns / self.rows;
        let block = (matrix * self.across + column / self.block) * self.down + row / ROWS;
        (block * ROWS + row % ROWS) * self.block + column % self.block
    }

    /// Reads all blocks, and writes the elements of a view of the plain format in its order.
    pub(super) fn unpack(self, view: &View) -> LaneFunction {
        let size = view.size();
        let first = view.first_at(0) / size.max(1);
        let (sizes, strides): (SmallVec<[usize; 8]>, SmallVec<[isize; 8]>) =
            (SmallVec::from_slice(view.shape()), SmallVec::from_slice(view.strides()));
        LaneFunction::new("unpack", move |_, inputs, outputs| {
            let ([from], [to]) = (inputs, outputs) else { return Ok(()) };
            let mut index: SmallVec<[usize; 8]> = SmallVec::from_elem(0, sizes.len());
            let mut number = first as isize;
            for to in to.chunks_exact_mut(size.max(1)) {
                let place = self.place(number as usize) * size;
                to.copy_from_slice(&from[place..place + size]);
                for axis in (0..sizes.len()).rev() {
                    index[axis] += 1;
                    number += strides[axis];
                    if index[axis] < sizes[axis] {
                        break;
                    }
                    number -= strides[axis] * sizes[axis] as isize;
                    index[axis] = 0;
                }
            }
            Ok(())
        })
    }
}

/// Unsigned integers of so many bytes.
pub(super) fn bits_of(size: usize) -> Option<DType> {
    match size {
        1 => Some(U8),
        2 => Some(U16),
        4 => Some(U32),
        8 => Some(U64),
        _ => None,
    }
}
