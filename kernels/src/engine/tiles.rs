//! The order of work for transposed operands: tile by tile, so that each of their cache lines is visited once.
//!
//! A transposed input is copied for a whole tile. A body that computes planes reads the other inputs where they lie. For the
//! other bodies a tile is computed in bands of rows, for which all inputs are copied.
//!
//! The lines of a transposed operand often lie at a distance of some power of two, so that few of them stay in a cache
//! together: they are not asked for long before they are copied.

use std::ops::Range;

use crate::engine::planes::Planes;
use crate::engine::staged::{
    Buffers, MOST, OUTPUT, Part, Sides, Visit, VisitPlane, Walks, input_side, part, placed,
};
use crate::views::block::{Block, Line};
use crate::views::bound::{Bound, Operands};
use crate::views::runs::{Plane, Side};

/// How large tiles are.
struct Size {
    /// The lines of a transposed operand that lie one after the other in a tile.
    lines: usize,
    /// Bytes of an operand, at most.
    bytes: usize,
}

/// Where transposed operands are read: processors fetch the next ones of so many lines by themselves, of four lines it takes
/// a quarter longer. The tile stays in the second cache.
const READ: Size = Size { lines: 24, bytes: 192 << 10 };

/// Where the output is transposed: the tile stays in the first cache.
const WRITTEN: Size = Size { lines: 4, bytes: 32 << 10 };

/// A result seen as planes of rows and columns, in which neighbours of a column of some operand are neighbours in memory.
pub(crate) struct Tiles {
    walk: Walks,
    /// Bytes of an element of each operand.
    sizes: [usize; MOST],
    transposed: [bool; MOST],
    /// Of a plane.
    rows: usize,
    columns: usize,
    /// Of a tile.
    height: usize,
    width: usize,
    /// Rows of a band.
    band: usize,
}

/// The first element of a tile, its rows and its columns.
type Tile = (usize, [usize; 2]);

impl Tiles {
    pub(crate) fn of(walk: &Walks, sizes: [usize; MOST]) -> Option<Self> {
        /// Fewer elements stay in the first-level cache, whatever their order.
        const FEWEST: usize = 4096;
        let (columns, across) = (walk.inner_len(), walk.inner_strides());
        let (rows, down) = walk.axis_of_runs()?;
        if rows.min(columns) == 1 || rows.checked_mul(columns)? < FEWEST {
            return None;
        }
        let mut transposed = [false; MOST];
        for (place, transposed) in transposed.iter_mut().enumerate() {
            let far = across[place].unsigned_abs().saturating_mul(sizes[place]) >= Line::SIZE;
            *transposed = down[place] == 1 && far;
        }
        let (largest, smallest) = (sizes.into_iter().max()?, (0..MOST).filter(|place| transposed[*place]));
        let tile = if transposed[OUTPUT] { WRITTEN } else { READ };
        let in_lines = tile.lines * Line::SIZE / smallest.map(|place| sizes[place]).min()?;
        let width = columns.min(tile.bytes / largest / rows.min(in_lines));
        let width = even(columns, width);
        let height = rows.min(tile.bytes / largest / width);
        // A transposed output is written in whole lines.
        let in_line = if transposed[OUTPUT] { Line::SIZE / sizes[OUTPUT] } else { 1 };
        let band = height.min((Block::SIZE / largest / width).max(in_line));
        Some(Self { walk: walk.clone(), sizes, transposed, rows, columns, height, width, band })
    }

    /// The tiles of the result.
    pub(crate) fn count(&self) -> usize {
        self.walk.numel() / (self.rows * self.columns) * self.in_plane()
    }

    fn in_plane(&self) -> usize {
        self.rows.div_ceil(self.height) * self.columns.div_ceil(self.width)
    }

    /// Tiles are counted downwards before they are counted to the
    /// right, so that pages of memory are visited again while their addresses are known.
    fn tile(&self, number: usize) -> Tile {
        let (plane, within) = (number / self.in_plane(), number % self.in_plane());
        let in_strip = self.rows.div_ceil(self.height);
        let (left, top) = (within / in_strip * self.width, within % in_strip * self.height);
        let first = (plane * self.rows + top) * self.columns + left;
        (first, [self.height.min(self.rows - top), self.width.min(self.columns - left)])
    }

    /// Returns whether the operands that are not transposed have rows of such planes of so many inputs.
    pub(crate) fn has(&self, planes: Planes, inputs: usize) -> bool {
        let across = self.walk.inner_strides();
        let output = self.transposed[OUTPUT] || across[OUTPUT] == 1;
        let fits = |place| self.transposed[place] || planes.takes(across[place]);
        self.width >= planes.shortest && output && (OUTPUT - inputs..OUTPUT).all(fits)
    }

    /// Visits tiles, of which only the transposed operands are copies.
    pub(crate) fn for_each_plane(
        &self,
        tiles: Range<usize>,
        (inputs, output): (&[Bound<'_>], Bound<'_>),
        buffers: &mut Buffers,
        visit: &mut VisitPlane<'_>,
    ) {
        let mut copies = buffers.of(std::array::from_fn(|place| {
            if self.transposed[place] { self.width * self.height * self.sizes[place] } else { 0 }
        }));
        let [sources @ .., result] = &mut copies;
        for number in tiles {
            let (first, [height, width]) = self.tile(number);
            let offsets = self.walk.offsets_at(first);
            for (place, input) in placed(inputs).filter(|(place, _)| self.transposed[*place]) {
                let (offset, strides) = part(&self.walk, input, place, first, &offsets);
                input.gather_plane(offset, strides, [height, width], sources[place]);
            }
            let sides: Sides = placed(inputs)
                .map(|(place, input)| match self.transposed[place] {
                    true => {
                        let first = sources[place].as_ptr();
                        Side { plane: Plane { first, down: width as isize, across: 1 }, size: input.size() }
                    }
                    false => input_side(part(&self.walk, input, place, first, &offsets), input),
                })
                .collect();
            let (offset, strides) = part(&self.walk, &output, OUTPUT, first, &offsets);
            if self.transposed[OUTPUT] {
                let first = result.as_mut_ptr();
                let plane = Plane { first, down: width as isize, across: 1 };
                visit(&sides, Side { plane, size: output.size() }, [height, width], false);
                output.scatter_plane(offset, strides, [height, width], result, false);
            } else {
                visit(&sides, output.side(offset, strides), [height, width], true);
            }
        }
    }

    /// Visits copies of tiles in the order of their elements, which are counted from 0 on. `streams` tells whether the
    /// output is written past the caches.
    pub(crate) fn for_each(
        &self,
        tiles: Range<usize>,
        (inputs, output): (&[Bound<'_>], Bound<'_>),
        streams: bool,
        buffers: &mut Buffers,
        visit: &mut Visit<'_>,
    ) {
        let mut copies = buffers.of(std::array::from_fn(|place| {
            let is_whole = self.transposed[place] && place != OUTPUT;
            self.width * self.sizes[place] * if is_whole { self.height } else { self.band }
        }));
        let [sources @ .., result] = &mut copies;
        let end = tiles.end;
        for number in tiles {
            let tile = self.tile(number);
            let next = (number + 1 < end).then(|| self.tile(number + 1));
            let (first, [height, width]) = tile;
            let offsets = self.walk.offsets_at(first);
            for (place, input) in placed(inputs).filter(|(place, _)| self.transposed[*place]) {
                let (offset, strides) = self.part(input, place, first, &offsets, 0);
                input.gather_plane(offset, strides, [height, width], sources[place]);
            }
            for top in (0..height).step_by(self.band) {
                let counts = [self.band.min(height - top), width];
                for (place, input) in placed(inputs).filter(|(place, _)| !self.transposed[*place]) {
                    let (offset, strides) = self.part(input, place, first, &offsets, top);
                    input.gather_plane(offset, strides, counts, sources[place]);
                }
                // The memory would be idle while the band is computed.
                self.prefetch(inputs, tile, next, top);
                let staged: Operands<'_> = placed(inputs)
                    .map(|(place, input)| {
                        let above = if self.transposed[place] { top * width * self.sizes[place] } else { 0 };
                        input.copied(0, &sources[place][above..])
                    })
                    .collect();
                visit(&staged, output.copied_mut(result), 0..counts[0] * width);
                let (offset, strides) = self.part(&output, OUTPUT, first, &offsets, top);
                output.scatter_plane(offset, strides, counts, result, streams);
            }
        }
    }

    /// Asks for what is copied after the band at `top`: the next band, and a share of the next tile of transposed inputs.
    fn prefetch(&self, inputs: &[Bound<'_>], tile: Tile, next: Option<Tile>, top: usize) {
        let below = top + self.band;
        let band = if below < tile.1[0] { Some((tile, below)) } else { next.map(|next| (next, 0)) };
        if let Some(((first, [height, width]), top)) = band {
            let offsets = self.walk.offsets_at(first);
            for (place, input) in placed(inputs).filter(|(place, _)| !self.transposed[*place]) {
                let (offset, strides) = self.part(input, place, first, &offsets, top);
                input.prefetch_plane(offset, strides, [self.band.min(height - top), width], false);
            }
        }
        let Some((first, [height, width])) = next else { return };
        let offsets = self.walk.offsets_at(first);
        let share = width.div_ceil(tile.1[0].div_ceil(self.band));
        let left = top / self.band * share;
        for (place, input) in placed(inputs).filter(|(place, _)| self.transposed[*place] && left < width) {
            let (offset, strides) = self.part(input, place, first, &offsets, 0);
            let offset = offset.wrapping_add(strides[1].wrapping_mul(left as isize));
            input.prefetch_plane(offset, strides, [height, share.min(width - left)], true);
        }
    }

    /// Where the rows from `top` on of the tile whose first element is `first` lie in an operand.
    fn part(
        &self,
        operand: &Bound<'_>,
        place: usize,
        first: usize,
        offsets: &[isize; MOST],
        top: usize,
    ) -> Part {
        let (offset, strides) = part(&self.walk, operand, place, first, offsets);
        (offset.wrapping_add(strides[0].wrapping_mul(top as isize)), strides)
    }
}

/// The width of tiles of about one width, of whole lines where the last one is not narrow then; at most `width`.
fn even(columns: usize, width: usize) -> usize {
    const TOGETHER: usize = 16;
    let even = columns.div_ceil(columns.div_ceil(width));
    let in_lines = even.next_multiple_of(TOGETHER);
    let last = (columns - 1) % in_lines + 1;
    if in_lines <= width && last >= TOGETHER { in_lines } else { even }
}

#[cfg(test)]
mod tests {
    use super::even;

    /// A loop of vectors has nothing to do in a narrow tile.
    #[test]
    fn no_tile_is_much_narrower_than_the_others() {
        for (columns, expected) in [(4096, 256), (257, 144), (4097, 241), (100, 100), (3, 3)] {
            assert_eq!(even(columns, columns.min(256)), expected, "{columns}");
        }
        for columns in 1..5000 {
            let width = even(columns, columns.min(256));
            let last = (columns - 1) % width + 1;
            assert!(width <= 256 && last >= columns.min(16), "{columns}: {width}, {last}");
        }
    }
}
