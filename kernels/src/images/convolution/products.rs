//! The parts of a convolution, computed from the others in blocks that threads share.
//!
//! A block of windows is in the caches, and the weights are packed so that those of thirty-two channels lie together: a tile of
//! sums of some positions and channels stays in registers. Of few channels, positions are the vectors instead.

use std::ops::Range;

use super::columns::Geometry;
use super::pass::Axis;
use super::source::Blocks;
use crate::LaneBody;
use crate::axis::normalization::sum;
use crate::engine::share;
use crate::products::matrix::tile::{COLUMNS, Loops, Packed, ROWS, RUN, Steps};
use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::transpose::{Run, transpose};

/// Elements and positions of a block: of tiles, half of a second-level cache; of runs, half of a first-level cache.
const TILES: [usize; 2] = [1 << 16, 768];
const RUNS: [usize; 2] = [1 << 13, 1 << 13];

/// Summands that are added up before the sum is added to others: their weights stay in a first-level cache.
const DEPTH: usize = 256;

/// Results of so many channels or fewer are computed in runs.
const FEW: usize = 8;

/// Units of work there should be for threads to share.
const UNITS: usize = 8;

/// Channels of an image whose weights are summed together.
const CHANNELS: usize = 16;

/// Multiplications that cost as much as reading and writing a byte.
const MULTIPLICATIONS: usize = 4;

/// The operand that is computed from the two others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The map, from the image, the weights and perhaps a bias for each channel.
    Map,
    /// The image, from the map, the weights and perhaps a bias for each channel.
    Image,
    /// The weights, from the image and the map.
    Weights,
}

/// A part of a convolution in f32. The result depends on the sizes alone, not on the threads: each element is summed in one
/// order.
pub struct Convolution {
    pub geometry: Geometry,
    pub part: Part,
}

impl LaneBody for Convolution {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([first, second, bias @ ..], [out]) = (inputs, outputs) else { return Ok(()) };
        let (first, second) = (bytemuck::cast_slice(first), bytemuck::cast_slice(second));
        let bias: Option<&[f32]> = bias.first().map(|bias| bytemuck::cast_slice(bias));
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        if self.part == Part::Weights {
            return self.weights(first, second, out);
        }
        let windows = &self.geometry.windows;
        let axes = windows.each_ref().map(|window| match self.part {
            Part::Image if second.iter().all(|weight: &f32| weight.is_finite()) => window.over_map(),
            Part::Image => window.over_map().into_iter().flat_map(Axis::parts).collect(),
            _ => vec![window.over_image()],
        });
        let [planes, rows, columns] = &axes;
        let place = Place(out.as_mut_ptr());
        for plane in planes {
            for row in rows {
                for column in columns {
                    let axes = [plane.clone(), row.clone(), column.clone()];
                    self.pass(&axes, [first, second], bias, place)?;
                }
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["convolve"]
    }
}

/// Writes the sum of each channel of a map of `batches`, of so many positions each.
pub fn sum_columns(batches: usize, positions: usize, map: &[f32], out: &mut [f32]) {
    let channels = out.len();
    for (channel, out) in out.iter_mut().enumerate() {
        let planes = (0..batches).map(|batch| (batch * channels + channel) * positions);
        let planes = planes.filter_map(|first| map.get(first..first + positions));
        *out = planes.map(|plane| sum([plane], |[x]| x)).sum::<f64>() as f32;
    }
}

/// Memory of which each thread writes other elements.
#[derive(Clone, Copy)]
struct Place(*mut f32);

// SAFETY: units of work share no element.
unsafe impl Sync for Place {}

impl Place {
    /// Some of the elements.
    ///
    /// # Safety
    /// They are there, and no other thread uses them.
    unsafe fn part<'a>(self, range: Range<usize>) -> &'a mut [f32] {
        // SAFETY: by the contract.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(range.start), range.len()) }
    }
}

/// Buffers of a thread.
#[derive(Default)]
struct Buffers {
    block: Vec<f32>,
    firsts: Vec<usize>,
    sums: Vec<Packed>,
    /// Sums of runs, or those of tiles channel by channel.
    runs: Vec<f32>,
    packed: Vec<f32>,
}

impl Convolution {
    /// The cost of the products, in bytes that are read and written.
    fn cost(&self) -> usize {
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = self.geometry;
        [batches, groups, of_image, of_map, self.geometry.taps(), self.geometry.positions()]
            .into_iter()
            .fold(1, usize::saturating_mul)
            / MULTIPLICATIONS
    }

    /// Writes the results of a pass over a source.
    fn pass(
        &self,
        axes: &[Axis; 3],
        [source, weights]: [&[f32]; 2],
        bias: Option<&[f32]>,
        place: Place,
    ) -> Result {
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = self.geometry;
        let taps = self.geometry.taps();
        let is_map = self.part == Part::Map;
        // Of the weights: from a channel of the result to the next, and from one of the source to the next.
        let (channels, results, across, along) = match is_map {
            true => (of_image, of_map, of_image * taps, taps),
            false => (of_map, of_image, taps, of_image * taps),
        };
        let in_runs = results <= FEW;
        let blocks = Blocks::new(axes, channels, if in_runs { RUNS } else { TILES }, in_runs);
        let steps = Steps::from(blocks.steps(channels)?);
        let window = self.window(axes)?;
        let width = if in_runs { 1 } else { COLUMNS };
        let packs = results.div_ceil(width);
        let len = steps.len() * width;
        let whole = batches * groups * blocks.len();
        let weights = Weights {
            elements: weights,
            of_group: of_image * of_map * taps,
            across,
            results,
            width,
            // Channels whose elements lie one after the other count as one.
            runs: match is_map && window.len() == taps {
                true => [0, channels * taps],
                false => [along, window.len()],
            },
            window: &window,
        };
        // Weights that are used once are packed when they are.
        let is_once = whole <= groups && !in_runs;
        let mut packed = allocation::zeros::<f32>(if is_once { 0 } else { groups * packs * len })?;
        let pack = Place(packed.as_mut_ptr());
        if !is_once {
            share::each(groups * packs, 1, packed.len().saturating_mul(8), &|units: Range<usize>| {
                for unit in units {
                    // SAFETY: the weights of these channels, which no other unit writes.
                    let to = unsafe { pack.part(unit * len..(unit + 1) * len) };
                    weights.pack(unit / packs, unit % packs, 0..steps.len(), to);
                }
            });
        }
        let positions = axes.iter().map(|axis| axis.count).product();
        let products = [batches, groups, results, steps.len(), positions].into_iter();
        let cost = products.fold(1, usize::saturating_mul) / MULTIPLICATIONS;
        let of_source = axes.iter().map(|axis| axis.size).product::<usize>() * channels;
        let parts = (UNITS / whole.max(1)).clamp(1, packs.max(1));
        let together = packs.div_ceil(parts);
        let loops = Loops::chosen();
        share::try_each(whole * parts, 1, cost, &|units: Range<usize>| {
            let mut buffers = Buffers::default();
            for unit in units {
                let (part, rest) = (unit % parts, unit / parts);
                let (number, of_batch) = (rest % blocks.len(), rest / blocks.len());
                let group = of_batch % groups;
                let at = blocks.place(number);
                let Buffers { block, firsts, sums, runs, packed: own } = &mut buffers;
                let from = source.get(of_batch * of_source..(of_batch + 1) * of_source).unwrap_or_default();
                let block = blocks.of(from, channels, &at, block)?;
                if !in_runs {
                    blocks.firsts(&at, firsts);
                }
                let to = Results { convolution: self, axes, at: &at, of_batch, results, bias, group, place };
                for pack in part * together..packs.min((part + 1) * together) {
                    let all = packed.get((group * packs + pack) * len..).and_then(|packed| packed.get(..len));
                    if let (true, Some(weights)) = (in_runs, all) {
                        let row = blocks.row();
                        let len = (at[1].len() - 1) * row + at[2].len();
                        runs.clear();
                        allocation::resize(runs, len.next_multiple_of(RUN), 0.0)?;
                        let (chunks, _) = runs.as_chunks_mut::<RUN>();
                        for (number, sums) in chunks.iter_mut().enumerate() {
                            loops.add_run(block, number * RUN, &steps, weights, sums);
                        }
                        to.write(pack, runs, row);
                        continue;
                    }
                    let lanes = COLUMNS.min(results - pack * COLUMNS);
                    allocation::resize(sums, firsts.len(), [0.0; COLUMNS])?;
                    for start in (0..steps.len().max(1)).step_by(DEPTH) {
                        let summands = start..steps.len().min(start + DEPTH);
                        let weights = match all {
                            Some(all) => &all[start * COLUMNS..summands.end * COLUMNS],
                            None => {
                                own.resize(summands.len() * COLUMNS, 0.0);
                                weights.pack(group, pack, summands.clone(), own);
                                &*own
                            }
                        };
                        let (weights, _) = weights.as_chunks::<COLUMNS>();
                        for (sums, firsts) in sums.chunks_mut(ROWS).zip(firsts.chunks(ROWS)) {
                            let firsts = std::array::from_fn(|row| firsts[row.min(firsts.len() - 1)]);
                            let more = loops.tile(block, &firsts, &steps, summands.clone(), weights, lanes);
                            match start {
                                0 => sums.copy_from_slice(&more[..sums.len()]),
                                _ => add_rows(sums, &more),
                            }
                        }
                    }
                    let positions = firsts.len();
                    allocation::resize(runs, lanes * positions, 0.0)?;
                    turn(sums.as_flattened(), COLUMNS, runs, positions, [positions, lanes]);
                    for lane in 0..lanes {
                        to.write(pack * COLUMNS + lane, &runs[lane * positions..], at[2].len());
                    }
                }
            }
            Ok(())
        })
    }

    /// The numbers of the elements of a window that a pass has.
    fn window(&self, [planes, rows, columns]: &[Axis; 3]) -> Result<Vec<usize>> {
        let [_, of_rows, of_columns] = &self.geometry.windows;
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

    /// Elements of the image are rows of tiles, channels of the map columns, and positions are summed up. Sums of blocks are
    /// added up in f64: there may be many.
    fn weights(&self, image: &[f32], map: &[f32], out: &mut [f32]) -> Result {
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = self.geometry;
        let (plane, positions, taps) =
            (self.geometry.plane(), self.geometry.positions(), self.geometry.taps());
        let axes = self.geometry.windows.each_ref().map(|window| window.over_image());
        let together = CHANNELS.min(of_image.div_ceil(UNITS.div_ceil(groups.max(1)))).max(1);
        let blocks = Blocks::new(&axes, together, TILES, false);
        let window = self.window(&axes)?;
        let elements = blocks.steps(together)?;
        let (parts, packs) = (of_image.div_ceil(together), of_map.div_ceil(COLUMNS));
        let place = Place(out.as_mut_ptr());
        let loops = Loops::chosen();
        share::try_each(groups * parts, 1, self.cost(), &|units: Range<usize>| {
            let (mut buffers, mut totals) = (Buffers::default(), Vec::new());
            for unit in units {
                let (group, part) = (unit / parts, unit % parts);
                let channels = part * together..of_image.min((part + 1) * together);
                let elements = &elements[..channels.len() * window.len()];
                totals.clear();
                allocation::resize(&mut totals, packs * elements.len(), [0.0_f64; COLUMNS])?;
                for (batch, number) in
                    (0..batches).flat_map(|batch| (0..blocks.len()).map(move |block| (batch, block)))
                {
                    let of_batch = batch * groups + group;
                    let at = blocks.place(number);
                    let Buffers { block, firsts, sums, .. } = &mut buffers;
                    let from = (of_batch * of_image + channels.start) * plane;
                    let from = image.get(from..from + channels.len() * plane).unwrap_or_default();
                    let block = blocks.of(from, channels.len(), &at, block)?;
                    blocks.firsts(&at, firsts);
                    let steps = Steps::from(allocation::collect(firsts.iter().copied())?);
                    let [_, rows, columns] = &self.geometry.windows;
                    for pack in 0..packs {
                        let width = COLUMNS.min(of_map - pack * COLUMNS);
                        sums.clear();
                        allocation::resize(sums, steps.len(), [0.0; COLUMNS])?;
                        let first = (of_batch * of_map + pack * COLUMNS) * positions;
                        for (row, to) in at[1].clone().zip(sums.chunks_mut(at[2].len())) {
                            let line = (at[0].start * rows.positions + row) * columns.positions;
                            let from = map.get(first + line + at[2].start..).unwrap_or_default();
                            turn(from, positions, to.as_flattened_mut(), COLUMNS, [width, at[2].len()]);
                        }
                        let totals = &mut totals[pack * elements.len()..][..elements.len()];
                        for (totals, firsts) in totals.chunks_mut(ROWS).zip(elements.chunks(ROWS)) {
                            let firsts = std::array::from_fn(|row| firsts[row.min(firsts.len() - 1)]);
                            let more = loops.tile(block, &firsts, &steps, 0..steps.len(), sums, width);
                            for (total, more) in totals.as_flattened_mut().iter_mut().zip(more.as_flattened())
                            {
                                *total += f64::from(*more);
                            }
                        }
                    }
                }
                for channel in 0..of_map {
                    let first = ((group * of_map + channel) * of_image + channels.start) * taps;
                    // SAFETY: the weights of these channels, which no other unit writes.
                    let to = unsafe { place.part(first..first + channels.len() * taps) };
                    to.fill(0.0);
                    let totals = &totals[channel / COLUMNS * elements.len()..][..elements.len()];
                    let places =
                        (0..channels.len()).flat_map(|own| window.iter().map(move |tap| own * taps + tap));
                    for (total, place) in totals.iter().zip(places) {
                        to[place] = total[channel % COLUMNS] as f32;
                    }
                }
            }
            Ok(())
        })
    }
}

/// Adds the sums of a tile to those of its rows that are there.
fn add_rows(sums: &mut [Packed], more: &[Packed; ROWS]) {
    for (sums, more) in sums.iter_mut().zip(more) {
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
}

/// The results of a block.
struct Results<'a> {
    convolution: &'a Convolution,
    axes: &'a [Axis; 3],
    at: &'a super::source::Positions,
    /// The number of the group, over all batches.
    of_batch: usize,
    /// Channels of the result in a group.
    results: usize,
    bias: Option<&'a [f32]>,
    group: usize,
    place: Place,
}

impl Results<'_> {
    /// Writes a channel, with its bias, of sums whose rows begin so far apart.
    fn write(&self, channel: usize, sums: &[f32], down: usize) {
        let windows = &self.convolution.geometry.windows;
        let [planes, rows, columns] = windows.each_ref().map(|window| match self.convolution.part {
            Part::Image => window.size,
            _ => window.positions,
        });
        let first = (self.of_batch * self.results + channel) * planes * rows * columns;
        let bias = self.bias.and_then(|bias| bias.get(self.group * self.results + channel)).copied();
        let [of_plane, of_row, of_column] = self.axes;
        let plane = of_plane.to + self.at[0].start * of_plane.step;
        let column = of_column.to + self.at[2].start * of_column.step;
        let width = self.at[2].len();
        // Whole rows are one.
        let is_one = down == width && width == columns && (of_row.step, of_column.step) == (1, 1);
        let (rows_of_block, width) = match is_one {
            true => (self.at[1].start..self.at[1].start + 1, width * self.at[1].len()),
            false => (self.at[1].clone(), width),
        };
        let len = (width - 1) * of_column.step + 1;
        for (number, row) in rows_of_block.enumerate() {
            let line = (plane * rows + of_row.to + row * of_row.step) * columns + column;
            // SAFETY: positions of the block in a channel, of which no other unit and no other pass writes; this pass
            // writes one after the other.
            let to = unsafe { self.place.part(first + line..first + line + len) };
            let sums = &sums[number * down..][..width];
            let bias = bias.unwrap_or(-0.0);
            match of_column.step {
                1 => to.iter_mut().zip(sums).for_each(|(to, sum)| *to = sum + bias),
                step => to.iter_mut().step_by(step).zip(sums).for_each(|(to, sum)| *to = sum + bias),
            }
        }
    }
}

/// The weights of a pass, as the factors of results.
struct Weights<'a> {
    elements: &'a [f32],
    of_group: usize,
    /// From a channel of the result to the next, and how many of these there are.
    across: usize,
    results: usize,
    /// The number of channels that are packed together.
    width: usize,
    /// From a channel of the source to the next, and how many summands it has.
    runs: [usize; 2],
    window: &'a [usize],
}

impl Weights<'_> {
    /// Packs some summands of neighbouring channels of a group.
    fn pack(&self, group: usize, pack: usize, summands: Range<usize>, to: &mut [f32]) {
        let [along, len] = self.runs;
        let first = pack * self.width;
        let lanes = self.width.min(self.results - first);
        let own = self.elements.get(group * self.of_group + first * self.across..).unwrap_or_default();
        let mut summand = summands.start;
        while summand < summands.end {
            let (channel, at) = (summand / len, summand % len);
            let count = (len - at).min(summands.end - summand);
            let to = &mut to[(summand - summands.start) * self.width..];
            let from = own.get(channel * along..).unwrap_or_default();
            if along == 0 || self.window.len() == self.window.last().map_or(0, |last| last + 1) {
                turn(&from[at..], self.across, to, self.width, [lanes, count]);
            } else {
                for lane in 0..lanes {
                    for (number, tap) in self.window[at..at + count].iter().enumerate() {
                        to[number * self.width + lane] = from[lane * self.across + tap];
                    }
                }
            }
            summand += count;
        }
    }
}

/// Turns rows into columns: so many rows of so many elements.
fn turn(from: &[f32], down: usize, to: &mut [f32], across: usize, [rows, count]: [usize; 2]) {
    let last = |rows: usize, step: usize, count: usize| rows.saturating_sub(1) * step + count;
    assert!(last(rows, down, count) <= from.len() && last(count, across, rows) <= to.len());
    let from = Run { first: from.as_ptr().cast(), stride: down as isize };
    let to = Run { first: to.as_mut_ptr().cast(), stride: across as isize };
    // SAFETY: the slices have the elements, and share none.
    unsafe { transpose(from, to, [rows, count], size_of::<f32>()) };
}
