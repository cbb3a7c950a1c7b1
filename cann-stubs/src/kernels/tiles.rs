//! The order of work for transposed operands: tile by tile, so that each of their cache lines is visited once.

use std::ops::Range;

use super::block::Line;
use super::bound::Bound;
use super::staged::{Buffers, MOST, OUTPUT, Staged, Walks, placed};

/// The lines of a transposed operand that lie one after the other in a tile.
const LINES: usize = 4;

/// Bytes of the largest operand in a tile.
const TILE: usize = 16 << 10;

/// A result seen as planes of rows and columns, in which neighbours of a column of some operand are neighbours in memory.
pub(super) struct Tiles {
    walk: Walks,
    /// Bytes of an element of each operand.
    sizes: [usize; MOST],
    /// Of a plane.
    rows: usize,
    columns: usize,
    /// Of a tile.
    height: usize,
    width: usize,
}

impl Tiles {
    pub(super) fn of(walk: &Walks, sizes: [usize; MOST]) -> Option<Self> {
        /// Fewer elements stay in the first-level cache, whatever their order.
        const FEWEST: usize = 4096;
        let (columns, across) = (walk.inner_len(), walk.inner_strides());
        let (rows, down) = walk.axis_of_runs()?;
        let transposed = |place: &usize| {
            down[*place] == 1 && across[*place].unsigned_abs().saturating_mul(sizes[*place]) >= Line::SIZE
        };
        let size = (0..MOST).filter(transposed).map(|place| sizes[place]).min()?;
        if rows.min(columns) == 1 || rows.checked_mul(columns)? < FEWEST {
            return None;
        }
        let most = TILE / sizes.into_iter().max()?;
        let width = columns.min(most / rows.min(LINES * Line::SIZE / size));
        Some(Self { walk: walk.clone(), sizes, rows, columns, height: rows.min(most / width), width })
    }

    /// The tiles of the result.
    pub(super) fn count(&self) -> usize {
        self.walk.numel() / (self.rows * self.columns) * self.in_plane()
    }

    fn in_plane(&self) -> usize {
        self.rows.div_ceil(self.height) * self.columns.div_ceil(self.width)
    }

    /// The first element of a tile, its rows and its columns. Tiles are counted downwards before they are counted to the
    /// right, so that pages of memory are visited again while their addresses are known.
    fn tile(&self, number: usize) -> (usize, [usize; 2]) {
        let (plane, within) = (number / self.in_plane(), number % self.in_plane());
        let in_strip = self.rows.div_ceil(self.height);
        let (left, top) = (within / in_strip * self.width, within % in_strip * self.height);
        let first = (plane * self.rows + top) * self.columns + left;
        (first, [self.height.min(self.rows - top), self.width.min(self.columns - left)])
    }

    /// Visits copies of tiles in the order of their elements, which are counted from 0 on. `streams` tells whether the
    /// output is written past the caches.
    pub(super) fn for_each(
        &self,
        tiles: Range<usize>,
        (inputs, output): (&[Bound<'_>], Bound<'_>),
        streams: bool,
        buffers: &mut Buffers,
        visit: &mut dyn FnMut(&[Bound<'_>], Bound<'_>, Range<usize>),
    ) {
        let mut copies = buffers.of(self.sizes.map(|size| size * self.height * self.width));
        let [sources @ .., result] = &mut copies;
        let end = tiles.end;
        for number in tiles {
            let (first, counts) = self.tile(number);
            let offsets = self.walk.offsets_at(first);
            for (place, input) in placed(inputs) {
                let (offset, strides) = self.plane(input, place, first, &offsets);
                input.gather_plane(offset, strides, counts, sources[place]);
            }
            // The memory would be idle while the tile is computed.
            if number + 1 < end {
                let (first, counts) = self.tile(number + 1);
                let offsets = self.walk.offsets_at(first);
                for (place, input) in placed(inputs) {
                    let (offset, strides) = self.plane(input, place, first, &offsets);
                    input.prefetch_plane(offset, strides, counts);
                }
            }
            let staged: Staged<'_> =
                placed(inputs).map(|(place, input)| input.copied(0, &*sources[place])).collect();
            visit(&staged, output.copied_mut(result), 0..counts[0] * counts[1]);
            let (offset, strides) = self.plane(&output, OUTPUT, first, &offsets);
            output.scatter_plane(offset, strides, counts, result, streams);
        }
    }

    /// Where a tile begins in an operand, and the distances between its elements downwards and to the right.
    fn plane(
        &self,
        operand: &Bound<'_>,
        place: usize,
        first: usize,
        offsets: &[isize; MOST],
    ) -> (isize, [isize; 2]) {
        if !operand.is_strided() {
            return (first as isize, [self.columns as isize, 1]);
        }
        let down = self.walk.axis_of_runs().map_or(0, |(_, down)| down[place]);
        (offsets[place], [down, self.walk.inner_strides()[place]])
    }
}
