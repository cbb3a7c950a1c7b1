//! The parts of a convolution, computed from the others in blocks that threads share.
//!
//! A block of windows is in the caches, and neighbouring positions are the vectors: a strip of sums of some channels stays in
//! registers, and weights are read where they lie. Of few positions, the elements under a window are the vectors instead. The
//! gradient of the weights has tiles of elements of the window and channels.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::OnceLock;

use super::axes::Axis;
use super::columns::{Geometry, Part};
use super::pass::{Pass, Sums, TILES, window};
use super::source::{Blocks, Held};
use crate::LaneBody;
use crate::axis::normalization::sum;
use crate::engine::share;
use crate::products::matrix::multiply_rows;
use crate::products::matrix::tile::{COLUMNS, LINES, Loops, Packed, ROWS, RUN, Steps, Strip};
use crate::views::allocation;
use crate::views::buffer_cache::with_kept;
use crate::views::failure::Result;
use crate::views::instructions::for_instructions;
use crate::views::transpose::{Run, transpose};

/// Summands that are added up before the sum is added to others: their weights stay in a first-level cache.
const DEPTH: usize = 256;

/// Sums that are written together, at most: half of what a second-level cache holds beside a block.
const SUMS: usize = 1 << 15;

/// Units of work there should be for threads to share.
const UNITS: usize = 8;

/// Units of work of the gradient of the weights, each of which turns the whole map.
const UNITS_OF_WEIGHTS: usize = 4;

/// Channels of an image whose weights are summed together.
const CHANNELS: usize = 16;

/// Multiplications that cost as much as reading and writing a byte.
const MULTIPLICATIONS: usize = 4;

/// A part of a convolution in f32. The result depends on the sizes alone, not on the threads: each element is summed in one
/// order.
pub struct Convolution {
    geometry: Geometry,
    part: Part,
    /// The passes of a part other than the weights, when they are known: for weights that all are finite.
    passes: OnceLock<Vec<Pass>>,
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
        let split;
        let passes = match self.passes.get() {
            _ if self.part == Part::Image && !second.iter().all(|weight: &f32| weight.is_finite()) => {
                split = self.all_passes(true)?;
                &split
            }
            Some(passes) => passes,
            None => {
                let passes = self.all_passes(false)?;
                self.passes.get_or_init(|| passes)
            }
        };
        let place = Place(out.as_mut_ptr());
        passes.iter().try_for_each(|pass| self.pass(pass, [first, second], bias, place))
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
    /// Elements of the map, position by position.
    map: Vec<Packed>,
    /// Sums, channel by channel.
    sums: Vec<f32>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::new(Buffers::default());
}

impl Convolution {
    pub fn new(geometry: Geometry, part: Part) -> Self {
        Self { geometry, part, passes: OnceLock::new() }
    }

    /// The cost of the products, in bytes that are read and written.
    fn cost(&self) -> usize {
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = self.geometry;
        [batches, groups, of_image, of_map, self.geometry.taps(), self.geometry.positions()]
            .into_iter()
            .fold(1, usize::saturating_mul)
            / MULTIPLICATIONS
    }

    /// Prepares all passes; if they are `split`, a weight that is not finite makes no NaN of zeros around a source.
    fn all_passes(&self, split: bool) -> Result<Vec<Pass>> {
        let axes = self.geometry.windows.each_ref().map(|window| match self.part {
            Part::Image if split => window.over_map().into_iter().flat_map(Axis::parts).collect(),
            Part::Image => window.over_map(),
            _ => vec![window.over_image()],
        });
        let [planes, rows, columns] = &axes;
        let mut passes = allocation::for_elements(planes.len() * rows.len() * columns.len())?;
        for plane in planes {
            for row in rows {
                for column in columns {
                    let axes = [plane.clone(), row.clone(), column.clone()];
                    passes.push(Pass::new(&self.geometry, self.part, axes)?);
                }
            }
        }
        Ok(passes)
    }

    /// Writes the results of a pass over a source.
    fn pass(
        &self,
        pass: &Pass,
        [source, weights]: [&[f32]; 2],
        bias: Option<&[f32]>,
        place: Place,
    ) -> Result {
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = self.geometry;
        let Pass { axes, blocks, steps, along, across, channels, results, sums: way } = pass;
        let (across, channels, results) = (*across, *channels, *results);
        let taps = self.geometry.taps();
        let positions: usize = axes.iter().map(|axis| axis.count).product();
        let whole = batches * groups * blocks.len();
        let products = [batches, groups, results, steps.len(), positions].into_iter();
        let cost = products.fold(1, usize::saturating_mul) / MULTIPLICATIONS;
        let of_source = axes.iter().map(|axis| axis.size).product::<usize>() * channels;
        let together = results.div_ceil((UNITS / whole.max(1)).max(1)).next_multiple_of(LINES);
        let parts = results.div_ceil(together.max(1)).max(1);
        let loops = Loops::chosen();
        let all = |units: Range<usize>, buffers: &mut Buffers| {
            let mut before = None;
            for unit in units {
                let (part, rest) = (unit % parts, unit / parts);
                let (number, of_batch) = (rest % blocks.len(), rest / blocks.len());
                let group = of_batch % groups;
                let at = blocks.place(number);
                let Buffers { block, firsts, sums, .. } = buffers;
                let from = source.get(of_batch * of_source..(of_batch + 1) * of_source).unwrap_or_default();
                let held = match before.replace((number, of_batch)) {
                    Some(before) if before == (number, of_batch) => Held::All,
                    Some((before, _)) if before == number => Held::Zeros,
                    _ => Held::Nothing,
                };
                let (block, first) = blocks.of(from, channels, &at, block, held)?;
                let to = Results { convolution: self, axes, at: &at, of_batch, results, bias, group, place };
                let of_group = of_image * of_map * taps;
                let factors = weights.get(group * of_group..(group + 1) * of_group).unwrap_or_default();
                let strip = Strip { source: block, first, steps, factors, across, along, adds: false };
                let lines = part * together..results.min((part + 1) * together);
                if *way == Sums::Vectors {
                    blocks.firsts(&at, firsts);
                    to.write_few(lines, &strip, firsts, sums)?;
                    continue;
                }
                let len = (at[1].len() - 1) * blocks.row() + at[2].len();
                if *way == Sums::Runs {
                    for line in lines {
                        sums.clear();
                        allocation::resize(sums, len.next_multiple_of(RUN), 0.0)?;
                        let (runs, _) = sums.as_chunks_mut::<RUN>();
                        for (number, run) in runs.iter_mut().enumerate() {
                            loops.add_run(Strip { first: number * RUN, ..strip }, line, run);
                        }
                        to.write(line, sums, blocks.row());
                    }
                    continue;
                }
                let down = len.next_multiple_of(COLUMNS);
                let some = (SUMS / down / LINES).max(1) * LINES;
                for begin in lines.clone().step_by(some) {
                    let lines = begin..lines.end.min(begin + some);
                    grow(sums, lines.len() * down)?;
                    let last = sum_strips(loops, strip, lines.clone(), len, sums);
                    for (line, sums) in lines.zip(sums.chunks_mut(down)) {
                        let (column, ahead) = last;
                        if ahead > 0 {
                            sums.copy_within(column + ahead..len + ahead, column);
                        }
                        to.write(line, sums, blocks.row());
                    }
                }
            }
            Ok(())
        };
        share::try_each(whole * parts, 1, cost, &|units: Range<usize>| {
            with_kept(&BUFFERS, Buffers::default, |buffers| all(units.clone(), buffers))
        })
    }

    /// Elements of the image are rows of tiles, channels of the map columns, and positions are summed up. Sums of blocks are
    /// added up in f64: there may be many.
    fn weights(&self, image: &[f32], map: &[f32], out: &mut [f32]) -> Result {
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = self.geometry;
        let (plane, positions, taps) =
            (self.geometry.plane(), self.geometry.positions(), self.geometry.taps());
        let axes = self.geometry.windows.each_ref().map(|window| window.over_image());
        let together = CHANNELS.min(of_image.div_ceil(UNITS_OF_WEIGHTS.div_ceil(groups.max(1)))).max(1);
        let blocks = Blocks::new(&axes, together, TILES, false);
        let window = window(&self.geometry, &axes)?;
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
                let mut before = None;
                for (batch, number) in
                    (0..batches).flat_map(|batch| (0..blocks.len()).map(move |block| (batch, block)))
                {
                    let of_batch = batch * groups + group;
                    let at = blocks.place(number);
                    let Buffers { block, firsts, map: turned, .. } = &mut buffers;
                    let from = (of_batch * of_image + channels.start) * plane;
                    let from = image.get(from..from + channels.len() * plane).unwrap_or_default();
                    let held = match before.replace(number) == Some(number) {
                        true => Held::Zeros,
                        false => Held::Nothing,
                    };
                    let (block, first) = blocks.of(from, channels.len(), &at, block, held)?;
                    let block = &block[first..];
                    blocks.firsts(&at, firsts);
                    let steps = Steps::from(allocation::collect(firsts.iter().copied())?);
                    let [_, rows, columns] = &self.geometry.windows;
                    for pack in 0..packs {
                        let width = COLUMNS.min(of_map - pack * COLUMNS);
                        // Columns that are not there are zeros.
                        if width < COLUMNS {
                            turned.clear();
                        }
                        allocation::resize(turned, steps.len(), [0.0; COLUMNS])?;
                        let first = (of_batch * of_map + pack * COLUMNS) * positions;
                        for (row, to) in at[1].clone().zip(turned.chunks_mut(at[2].len())) {
                            let line = (at[0].start * rows.positions + row) * columns.positions;
                            let from = map.get(first + line + at[2].start..).unwrap_or_default();
                            turn(from, positions, to.as_flattened_mut(), COLUMNS, [width, at[2].len()]);
                        }
                        let totals = &mut totals[pack * elements.len()..][..elements.len()];
                        for (totals, firsts) in totals.chunks_mut(ROWS).zip(elements.chunks(ROWS)) {
                            let firsts = std::array::from_fn(|row| firsts[row.min(firsts.len() - 1)]);
                            let more = loops.tile(block, &firsts, &steps, 0..steps.len(), turned, width);
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

/// Gives a buffer room for so many elements.
fn grow(buffer: &mut Vec<f32>, count: usize) -> Result {
    allocation::resize(buffer, count.max(buffer.len()), 0.0)
}

/// Computes the sums of `len` neighbouring columns of some lines, one line after the other in whole strips. Returns the first
/// column of the last strip, and how many places its sums lie behind their own: as many as it begins before it, since it may not
/// reach behind the source.
fn sum_strips(
    loops: Loops,
    strip: Strip<'_>,
    lines: Range<usize>,
    len: usize,
    sums: &mut [f32],
) -> (usize, usize) {
    let (down, summands) = (len.next_multiple_of(COLUMNS), strip.steps.len());
    let ahead = |column: usize| {
        let end = strip.first + column + strip.steps.reach() + Loops::width(len - column);
        end.saturating_sub(strip.source.len())
    };
    for start in (0..summands.max(1)).step_by(DEPTH) {
        for line in lines.clone().step_by(LINES) {
            let some = line..lines.end.min(line + LINES);
            let sums = &mut sums[(line - lines.start) * down..];
            for column in (0..len).step_by(COLUMNS) {
                let first = strip.first + column - ahead(column);
                let strip = Strip { first, adds: start > 0, ..strip };
                let summands = start..summands.min(start + DEPTH);
                loops.strip(strip, some.clone(), len - column, summands, &mut sums[column..], down);
            }
        }
    }
    let last = (len - 1) / COLUMNS * COLUMNS;
    (last, ahead(last))
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
    /// Writes some channels at few positions, whose first elements are given: products of their weights, a vector each, and the
    /// elements under the windows.
    fn write_few(
        &self,
        lines: Range<usize>,
        strip: &Strip<'_>,
        firsts: &[usize],
        buffer: &mut Vec<f32>,
    ) -> Result {
        let Strip { source, first, steps, factors, across, .. } = *strip;
        let (len, count) = (steps.len(), firsts.len());
        buffer.clear();
        allocation::resize(buffer, count * (len + lines.len()), 0.0)?;
        let (windows, products) = buffer.split_at_mut(count * len);
        for (to, begin) in windows.chunks_mut(len).zip(firsts) {
            let from = &source[first + begin..];
            to.iter_mut().zip(steps.all()).for_each(|(to, step)| *to = from[*step]);
        }
        let rows = factors.get(lines.start * across..lines.end * across).unwrap_or_default();
        multiply_rows(rows, len, windows, products);
        let [_, rows, columns] = &self.convolution.geometry.windows;
        let line = |row: usize| (self.at[0].start * rows.positions + row) * columns.positions;
        let places =
            self.at[1].clone().flat_map(|row| self.at[2].clone().map(move |column| line(row) + column));
        let positions = self.convolution.geometry.positions();
        for (place, products) in places.zip(products.chunks(lines.len())) {
            for (line, product) in lines.clone().zip(products) {
                let at = (self.of_batch * self.results + line) * positions + place;
                // SAFETY: a position of the block in a channel, of which no other unit writes.
                let to = unsafe { self.place.part(at..at + 1) };
                to[0] = product + self.bias_of(line);
            }
        }
        Ok(())
    }

    /// The bias of a channel; the number that changes no sum without one.
    fn bias_of(&self, channel: usize) -> f32 {
        let bias = self.bias.and_then(|bias| bias.get(self.group * self.results + channel)).copied();
        bias.unwrap_or(-0.0)
    }

    /// Writes a channel, with its bias, of sums whose rows begin so far apart.
    fn write(&self, channel: usize, sums: &[f32], down: usize) {
        let windows = &self.convolution.geometry.windows;
        let [planes, rows, columns] = windows.each_ref().map(|window| match self.convolution.part {
            Part::Image => window.size,
            _ => window.positions,
        });
        let first = (self.of_batch * self.results + channel) * planes * rows * columns;
        let bias = self.bias_of(channel);
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
        // Rows of whole lines lie one after the other.
        let is_whole = width == columns && (of_row.step, of_column.step) == (1, 1);
        let together = if is_whole { rows_of_block.len() } else { 1 };
        let len = (together - 1) * columns + (width - 1) * of_column.step + 1;
        for (number, row) in rows_of_block.enumerate().step_by(together) {
            let line = (plane * rows + of_row.to + row * of_row.step) * columns + column;
            // SAFETY: positions of the block in a channel, of which no other unit and no other pass writes; this pass
            // writes one after the other.
            let to = unsafe { self.place.part(first + line..first + line + len) };
            match of_column.step {
                1 => add_bias(&sums[number * down..], down.max(width), width, bias, to),
                step => {
                    let sums = &sums[number * down..][..width];
                    to.iter_mut().step_by(step).zip(sums).for_each(|(to, sum)| *to = sum + bias);
                }
            }
        }
    }
}

for_instructions! {
    /// Writes rows of sums and a bias one after the other; `sums` has them so far apart.
    fn add_bias(sums: &[f32], down: usize, width: usize, bias: f32, to: &mut [f32]) {
        for (to, sums) in to.chunks_mut(width).zip(sums.chunks(down)) {
            to.iter_mut().zip(sums).for_each(|(to, sum)| *to = sum + bias);
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
