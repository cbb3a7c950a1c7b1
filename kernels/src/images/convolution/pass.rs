//! The windows of a convolution as it is computed: what each position sums up, and where that lies.

use super::columns::{Geometry, Window};
use super::products::Part;
use super::source::Blocks;
use crate::products::matrix;
use crate::products::matrix::tile::{COLUMNS, Steps};
use crate::views::allocation;
use crate::views::failure::Result;

/// Elements and positions of a block: of strips and tiles, half of a second-level cache; of runs, half of a first-level cache.
pub(super) const TILES: [usize; 2] = [1 << 16, 768];
const RUNS: [usize; 2] = [1 << 13, 1 << 13];

/// Results of so many channels or fewer are computed in runs, channel by channel.
const FEW: usize = 2;

/// The fewest elements of a window that are a vector.
const VECTOR: usize = 32;

/// A pass over a source that is ready to run.
pub(super) struct Pass {
    pub(super) axes: [Axis; 3],
    pub(super) blocks: Blocks,
    /// The places of the elements of a window in a block, and those of their weights.
    pub(super) steps: Steps,
    pub(super) along: Steps,
    /// From a weight of a channel of the result to that of the next.
    pub(super) across: usize,
    /// Channels of a group, of the source and of the result.
    pub(super) channels: usize,
    pub(super) results: usize,
    /// How the sums are computed.
    pub(super) sums: Sums,
}

/// The way in which sums are computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sums {
    /// Strips of neighbouring positions, some channels together.
    Strips,
    /// Runs of neighbouring positions, channel by channel.
    Runs,
    /// The elements under a window and the weights of a channel are vectors.
    Vectors,
}

impl Pass {
    pub(super) fn new(geometry: &Geometry, part: Part, axes: [Axis; 3]) -> Result<Self> {
        let Geometry { channels: [of_image, of_map], .. } = *geometry;
        let taps = geometry.taps();
        // Of the weights: from a channel of the result to the next, and from one of the source to the next.
        let (channels, results, across, along) = match part {
            Part::Image => (of_map, of_image, taps, of_image * taps),
            _ => (of_image, of_map, of_image * taps, taps),
        };
        let in_runs = results <= FEW;
        let copies = in_runs || !Blocks::are_neighbours(&axes, COLUMNS);
        let blocks = Blocks::new(&axes, channels, if in_runs { RUNS } else { TILES }, copies);
        let steps = Steps::from(blocks.steps(channels)?);
        let window = window(geometry, &axes)?;
        let along = (0..channels).flat_map(|channel| window.iter().map(move |tap| channel * along + tap));
        let along = Steps::from(allocation::collect(along)?);
        let positions: usize = axes.iter().map(|axis| axis.count).product();
        let is_row = (along.reach() + 1, across) == (along.len(), along.len());
        let sums = match in_runs {
            _ if part == Part::Map && positions <= matrix::FEW && is_row && along.len() >= VECTOR => {
                Sums::Vectors
            }
            true => Sums::Runs,
            false => Sums::Strips,
        };
        Ok(Self { axes, blocks, steps, along, across, channels, results, sums })
    }
}

/// The numbers of the elements of a window that a pass has.
pub(super) fn window(geometry: &Geometry, [planes, rows, columns]: &[Axis; 3]) -> Result<Vec<usize>> {
    let [_, of_rows, of_columns] = &geometry.windows;
    let mut window = allocation::for_elements(planes.taps.len() * rows.taps.len() * columns.taps.len())?;
    for (plane, _) in &planes.taps {
        for (row, _) in &rows.taps {
            for (column, _) in &columns.taps {
                window.push((plane * of_rows.kernel + row) * of_columns.kernel + column);
            }
        }
    }
    Ok(window)
}

/// One axis of a pass over a source.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Elements of the source along the axis.
    pub(super) size: usize,
    /// Positions, and the distance between two of them in the source.
    pub(super) count: usize,
    pub(super) stride: usize,
    /// The place in the source where the first position begins.
    pub(super) first: i64,
    /// Elements of the window: their numbers, and how far behind the beginning they lie.
    pub(super) taps: Vec<(usize, usize)>,
    /// The place of the first position in the result, and the distance between two of them there.
    pub(super) to: usize,
    pub(super) step: usize,
}

impl Axis {
    /// Leaves out elements of the window that no position has on the source; an infinite weight there counts as nothing.
    fn new(
        [size, count, stride]: [usize; 3],
        taps: impl Iterator<Item = (usize, i64)>,
        [to, step]: [usize; 2],
    ) -> Self {
        let over = (count.saturating_sub(1).saturating_mul(stride)) as i64;
        let taps: Vec<(usize, i64)> =
            taps.filter(|(_, place)| *place < size as i64 && place.saturating_add(over) >= 0).collect();
        let first = taps.iter().map(|(_, place)| *place).min().unwrap_or(0);
        let taps = taps.into_iter().map(|(tap, place)| (tap, (place - first) as usize)).collect();
        Self { size, count, stride, first, taps, to, step }
    }

    /// Returns this axis of a pass with a stride of 1 in parts, at all positions of which the same elements of the window lie on
    /// the source: a weight that is not finite makes no NaN of the zeros around it.
    pub(super) fn parts(self) -> Vec<Self> {
        let place = |ahead: usize| self.first.saturating_add(ahead as i64);
        let changes =
            self.taps.iter().flat_map(|(_, ahead)| [-place(*ahead), self.size as i64 - place(*ahead)]);
        let mut ends: Vec<usize> = [0, self.count as i64]
            .into_iter()
            .chain(changes)
            .map(|end| end.clamp(0, self.count as i64) as usize)
            .collect();
        ends.sort_unstable();
        ends.dedup();
        let part = |first: usize, end: usize| {
            let taps = self.taps.iter().map(|(tap, ahead)| (*tap, place(*ahead) + first as i64));
            Self::new([self.size, end - first, 1], taps, [self.to + first * self.step, self.step])
        };
        ends.windows(2).map(|ends| part(ends[0], ends[1])).collect()
    }

    /// The elements that a window reaches behind its first one.
    pub(super) fn reach(&self) -> usize {
        self.taps.iter().map(|(_, place)| *place).max().unwrap_or(0)
    }

    /// Returns whether all windows lie on the source.
    pub(super) fn is_inside(&self) -> bool {
        let last = self.first + (self.count.saturating_sub(1) * self.stride + self.reach()) as i64;
        self.first >= 0 && last < self.size as i64
    }
}

impl Window {
    /// The positions of the window, over an image.
    pub(super) fn over_image(&self) -> Axis {
        let place = |tap: usize| (tap.saturating_mul(self.dilation) as i64).saturating_sub(self.padding);
        let taps = (0..self.kernel).map(|tap| (tap, place(tap)));
        Axis::new([self.size, self.positions, self.stride.max(1)], taps, [0, 1])
    }

    /// The elements of an image, over a map: those that lie a stride apart are under the same elements of windows.
    pub(super) fn over_map(&self) -> Vec<Axis> {
        let stride = self.stride.max(1);
        let phases = 0..stride.min(self.size);
        let axis = |phase: usize| {
            let ahead = |tap: usize| {
                (phase as i64 + self.padding).saturating_sub(tap.saturating_mul(self.dilation) as i64)
            };
            let taps = (0..self.kernel).map(|tap| (tap, ahead(tap)));
            let taps = taps
                .filter(|(_, ahead)| ahead.rem_euclid(stride as i64) == 0)
                .map(|(tap, ahead)| (tap, ahead.div_euclid(stride as i64)));
            Axis::new([self.positions, (self.size - phase).div_ceil(stride), 1], taps, [phase, stride])
        };
        phases.map(axis).collect()
    }
}
