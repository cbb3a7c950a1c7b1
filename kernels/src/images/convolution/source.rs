//! The elements of a block of windows: in the image itself if all lie on it, or else in a copy with zeros around it.

use std::ops::Range;

use smallvec::SmallVec;

use super::axes::Axis;
use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::instructions::for_instructions;

/// Positions of a block: planes, rows and columns.
pub(super) type Positions = [Range<usize>; 3];

/// The elements that the buffer of a block has from the block before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    Nothing,
    /// The zeros around the image: it was the block at the same place of another image.
    Zeros,
    All,
}

/// The blocks that windows are cut into, and the places of their elements in one.
pub(super) struct Blocks {
    axes: [Axis; 3],
    /// Positions of a block along each axis, at most.
    sizes: [usize; 3],
    is_copied: bool,
    /// Of a copy: the phases of rows and columns, which lie one after the other, so that neighbouring positions do.
    phases: [usize; 2],
    /// Elements of a row, and of a channel.
    row: usize,
    channel: usize,
}

/// Elements of a channel are not so far apart, since all of a row of them would share few places in the caches.
const APART: usize = 512;

/// Positions in a row of a block, at most.
const WIDEST: usize = 256;

impl Blocks {
    /// Cuts the windows over a source into blocks of so many elements and positions.
    pub(super) fn new(
        axes: &[Axis; 3],
        channels: usize,
        [elements, positions]: [usize; 2],
        copies: bool,
    ) -> Self {
        let [planes, rows, columns] = axes;
        let (of_planes, of_image) = (rows.size * columns.size, planes.size * rows.size * columns.size);
        let is_copied =
            copies || !axes.iter().all(Axis::is_inside) || (channels > 16 && of_planes % APART == 0);
        let wide = columns.count.div_ceil(positions.min(WIDEST)).max(1);
        let width = columns.count.div_ceil(wide);
        let phases = [rows, columns]
            .map(|axis| axis.taps.iter().map(|(_, place)| place % axis.stride + 1).max().unwrap_or(1));
        let row = if is_copied { width + columns.reach() / columns.stride } else { columns.size };
        let of_a_row = channels.max(1) * planes.taps.len().max(1) * phases[0] * phases[1] * row.max(1);
        let beside = rows.reach() / rows.stride;
        let height = (elements / of_a_row.max(1)).saturating_sub(beside);
        let height = height.min(positions / width.max(1)).clamp(1, rows.count.max(1));
        let height = rows.count.div_ceil(rows.count.div_ceil(height).max(1));
        let of_channel = planes.taps.len() * phases[0] * phases[1] * (height + beside) * row;
        let channel = match is_copied {
            true if of_channel % APART == 0 => of_channel + 16,
            true => of_channel,
            false => of_image,
        };
        Self { axes: axes.clone(), sizes: [1, height.max(1), width.max(1)], is_copied, phases, row, channel }
    }

    /// Returns whether neighbouring positions have neighbouring elements in the source itself, of which `together` are read
    /// at once, also around the last ones.
    pub(super) fn are_neighbours([planes, rows, columns]: &[Axis; 3], together: usize) -> bool {
        let is_dense = [rows, columns].iter().all(|axis| axis.stride == 1 || axis.count <= 1);
        let is_narrow = columns.count <= WIDEST || rows.count <= 1;
        let reach = (planes.reach() * rows.size + rows.reach()) * columns.size + columns.reach();
        is_dense && is_narrow && planes.size * rows.size * columns.size >= reach + together
    }

    /// The number of blocks.
    pub(super) fn len(&self) -> usize {
        self.axes.iter().zip(self.sizes).map(|(axis, size)| axis.count.div_ceil(size)).product()
    }

    pub(super) fn place(&self, number: usize) -> Positions {
        let mut rest = number;
        let mut place = [0..0, 0..0, 0..0];
        for ((place, axis), size) in place.iter_mut().zip(&self.axes).zip(self.sizes).rev() {
            let parts = axis.count.div_ceil(size).max(1);
            let first = rest % parts * size;
            *place = first..axis.count.min(first + size);
            rest /= parts;
        }
        place
    }

    /// Returns the places of the elements of a window in a block, for each of so many channels.
    pub(super) fn steps(&self, channels: usize) -> Result<Vec<usize>> {
        let [planes, rows, columns] = &self.axes;
        let lines = self.sizes[1] + rows.reach() / rows.stride;
        let taps = self.axes.iter().map(|axis| axis.taps.len()).product::<usize>();
        let mut steps = allocation::for_elements(channels.saturating_mul(taps))?;
        for channel in 0..channels {
            for (plane, (_, in_plane)) in planes.taps.iter().enumerate() {
                for (_, row) in &rows.taps {
                    for (_, column) in &columns.taps {
                        let step = if self.is_copied {
                            let (row_phase, row) = (row % rows.stride, row / rows.stride);
                            let (phase, column) = (column % columns.stride, column / columns.stride);
                            let phase = (plane * self.phases[0] + row_phase) * self.phases[1] + phase;
                            (phase * lines + row) * self.row + column
                        } else {
                            (in_plane * rows.size + row) * columns.size + column
                        };
                        steps.push(channel * self.channel + step);
                    }
                }
            }
        }
        Ok(steps)
    }

    /// Elements from one row of positions to the next.
    pub(super) fn row(&self) -> usize {
        self.row
    }

    /// Finds the places where the windows of a block begin in it, position after position.
    pub(super) fn firsts(&self, [_, rows, columns]: &Positions, to: &mut Vec<usize>) {
        let (down, across) = match self.is_copied {
            true => (self.row, 1),
            false => (self.axes[1].stride * self.axes[2].size, self.axes[2].stride),
        };
        to.clear();
        for row in 0..rows.len() {
            to.extend((0..columns.len()).map(|column| row * down + column * across));
        }
    }

    /// The elements of a block of some channels of an image, and the number of the first one under its windows.
    pub(super) fn of<'b>(
        &self,
        image: &'b [f32],
        channels: usize,
        place: &Positions,
        buffer: &'b mut Vec<f32>,
        held: Held,
    ) -> Result<(&'b [f32], usize)> {
        let [planes, rows, columns] = &self.axes;
        let begin = |axis: &Axis, position: usize| (position * axis.stride) as i64 + axis.first;
        let [plane, row, column] =
            [begin(planes, place[0].start), begin(rows, place[1].start), begin(columns, place[2].start)];
        if !self.is_copied {
            let first = (plane as usize * rows.size + row as usize) * columns.size + column as usize;
            return Ok((image, first));
        }
        if held == Held::All {
            return Ok((buffer, 0));
        }
        // A run may reach behind the last element.
        let len = channels * self.channel + 2 * crate::products::matrix::tile::RUN;
        allocation::resize(buffer, len.max(buffer.len()), 0.0)?;
        let lines = self.sizes[1] + rows.reach() / rows.stride;
        let of_phases: SmallVec<[Apart; 4]> = (0..self.phases[1])
            .map(|phase| Apart::new(column + phase as i64, columns.stride, columns.size, self.row))
            .collect();
        for channel in 0..channels {
            let to = &mut buffer[channel * self.channel..(channel + 1) * self.channel];
            // At once, since the rows are short.
            if held == Held::Nothing {
                to.fill(0.0);
            }
            let mut to = to.chunks_exact_mut((lines * self.row).max(1));
            for (_, in_plane) in &planes.taps {
                let plane =
                    usize::try_from(plane + *in_plane as i64).ok().filter(|plane| *plane < planes.size);
                let size = rows.size * columns.size;
                let first = plane.map(|plane| (channel * planes.size + plane) * size);
                let plane = first.and_then(|first| image.get(first..first + size)).unwrap_or_default();
                for phase in 0..self.phases[0] {
                    let first = row + phase as i64;
                    let rows = Rows { plane, len: columns.size, first, stride: rows.stride as i64 };
                    for (elements, to) in of_phases.iter().zip(&mut to) {
                        copy_rows(rows, *elements, to, self.row);
                    }
                }
            }
        }
        Ok((buffer, 0))
    }
}

/// Rows of a plane that lie `stride` apart, from one on that may be before the first one.
#[derive(Clone, Copy)]
struct Rows<'a> {
    plane: &'a [f32],
    /// Elements of a row.
    len: usize,
    first: i64,
    stride: i64,
}

/// The elements of rows of a source that lie `step` apart, from one on that may be before the first one.
#[derive(Clone, Copy)]
struct Apart {
    step: usize,
    /// Elements of the copy that are before the row, and where those end that are on it.
    before: usize,
    end: usize,
    /// The first element that is copied.
    begin: usize,
}

impl Apart {
    /// So many elements of a row of `size`.
    fn new(first: i64, step: usize, size: usize, count: usize) -> Self {
        let before = ((-first).max(0) as usize).div_ceil(step).min(count);
        let left = (size as i64 - first).max(0) as usize;
        let end = left.div_ceil(step).clamp(before, count);
        Self { step, before, end, begin: (first + (before * step) as i64).max(0) as usize }
    }
}

for_instructions! {
    /// Writes elements of rows, where each row has so many places; those of elements that are not there stay zeros.
    fn copy_rows(rows: Rows<'_>, elements: Apart, to: &mut [f32], width: usize) {
        let (Rows { plane, len, first, stride }, Apart { step, before, end, begin }) = (rows, elements);
        for (line, to) in to.chunks_exact_mut(width.max(1)).enumerate() {
            let row = usize::try_from(first + line as i64 * stride).ok();
            let row = row.and_then(|row| plane.get(row * len..(row + 1) * len));
            let Some(from) = row.and_then(|row| row.get(begin..)) else { continue };
            let to = &mut to[before..end];
            match step {
                1 => to.copy_from_slice(&from[..to.len()]),
                2 => {
                    // Pairs are taken apart in vectors; the last element may be half of one.
                    let (pairs, rest) = from.as_chunks();
                    to.iter_mut().zip(pairs).for_each(|(to, [from, _])| *to = *from);
                    if let ([from], Some(to)) = (rest, to.get_mut(pairs.len())) {
                        *to = *from;
                    }
                }
                step => to.iter_mut().zip(from.iter().step_by(step)).for_each(|(to, from)| *to = *from),
            }
        }
    }
}
