//! The order of work for transposed inputs: tile by tile, so that each of their cache lines is read once.

use std::ops::Range;

use smallvec::SmallVec;

use super::view::LINE;
use super::{Bound, View};

/// Elements of a row of a tile.
const COLUMNS: usize = 512;

/// A result seen as planes of rows and columns, in which neighbours of a column of some input are neighbours in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Tiles {
    /// Rows of a plane.
    rows: usize,
    /// Columns of a plane.
    columns: usize,
    /// Rows of a tile.
    height: usize,
    /// Columns of a tile.
    width: usize,
}

impl Tiles {
    /// The tiles for the first transposed view among `inputs`, which have as many elements as the result.
    pub(super) fn of(inputs: &[View]) -> Option<Self> {
        inputs.iter().find_map(|input| {
            let (rows, columns) = input.transposed()?;
            let width = columns.min(COLUMNS);
            let in_line = LINE.div_ceil(input.size().max(1));
            Some(Self { rows, columns, height: in_line * (COLUMNS / width).max(1), width })
        })
    }

    /// Tiles in a result of `numel` elements.
    pub(super) fn count(&self, numel: usize) -> usize {
        numel / (self.rows * self.columns) * self.in_plane()
    }

    fn in_plane(&self) -> usize {
        self.rows.div_ceil(self.height) * self.columns.div_ceil(self.width)
    }

    /// The first element of a tile, its rows and its columns. Tiles are counted downwards before they are counted to the
    /// right, so that pages of memory are visited again while their addresses are known.
    fn tile(&self, number: usize) -> (usize, usize, usize) {
        let (plane, within) = (number / self.in_plane(), number % self.in_plane());
        let in_strip = self.rows.div_ceil(self.height);
        let (left, top) = (within / in_strip * self.width, within % in_strip * self.height);
        let first = (plane * self.rows + top) * self.columns + left;
        (first, self.height.min(self.rows - top), self.width.min(self.columns - left))
    }

    /// Visits tiles: `visit` gets ranges of elements and the inputs, of which the transposed ones are copies in the order of
    /// the elements.
    pub(super) fn for_each(
        &self,
        tiles: Range<usize>,
        inputs: &[Bound<'_>],
        mut visit: impl FnMut(&[Bound<'_>], Range<usize>),
    ) {
        let turned = |input: &Bound<'_>| input.transposed() == Some((self.rows, self.columns));
        let mut copies: SmallVec<[Vec<u64>; 2]> = inputs
            .iter()
            .map(|input| match turned(input) {
                true => vec![0; (self.height * self.width * input.size()).div_ceil(size_of::<u64>())],
                false => Vec::new(),
            })
            .collect();
        for (first, height, width) in tiles.map(|number| self.tile(number)) {
            for (input, copy) in inputs.iter().zip(&mut copies).filter(|(input, _)| turned(input)) {
                input.gather_transposed(first, (height, width), bytemuck::cast_slice_mut(copy));
            }
            // Whole rows lie one after the other.
            let (pieces, len) = if width == self.columns { (1, height * width) } else { (height, width) };
            for piece in 0..pieces {
                let begin = first + piece * self.columns;
                let staged: SmallVec<[Bound<'_>; 2]> = inputs
                    .iter()
                    .zip(&copies)
                    .map(|(input, copy)| {
                        let bytes = piece * len * input.size()..(piece + 1) * len * input.size();
                        match bytemuck::cast_slice(copy).get(bytes) {
                            Some(copy) => input.over(begin, copy),
                            None => *input,
                        }
                    })
                    .collect();
                visit(&staged, begin..begin + len);
            }
        }
    }
}
