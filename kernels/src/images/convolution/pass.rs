//! A pass over a source that is ready to run, for all images of its sizes.

use super::axes::Axis;
use super::columns::{Geometry, Part};
use super::source::Blocks;
use crate::products::matrix;
use crate::products::matrix::tile::{COLUMNS, Steps};
use crate::views::allocation;
use crate::views::failure::Result;

/// Elements and positions of a block: of strips and tiles, half of a second-level cache; of runs, half of a first-level cache.
pub(super) const TILES: [usize; 2] = [1 << 16, 768];
const RUNS: [usize; 2] = [1 << 13, 1 << 13];

/// Results of so many channels or fewer are computed in runs, channel by channel.
const RUN_CHANNELS: usize = 2;

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
        let in_runs = results <= RUN_CHANNELS;
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
