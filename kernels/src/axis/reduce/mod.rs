//! Reductions: elements along some axes become one.
//!
//! The elements of a result, in row-major order, go to `LANES` states in turn. A leaf is some thousand of them; its
//! states are merged in halves, and leaves in a binary tree. So the error of a sum does not grow with the count, and a
//! result is the same to the last bit for every layout, number of threads and set of instructions. Where neighbouring
//! results lie side by side in memory, the states of many of them are combined with whole rows of elements; else each
//! result is computed from elements that lie one after the other. Long reductions are shared between threads in pieces
//! that are whole subtrees.

mod buffers;
mod function;
mod geometry;
mod loops;
mod numbers;
mod reducers;
#[cfg(test)]
mod tests;
mod tree;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use crate::engine::share;
use crate::views::allocation;
use crate::views::block::Line;
use crate::views::buffer_cache::with_kept;
use crate::views::failure::Result;
use crate::views::span;
use crate::{Block, Bound, Conversions, Sizes, Whole};

pub use function::Function;
pub use geometry::Axis;
pub use reducers::Spread;

use buffers::{BUFFERS, Buffers, bytes_of};
use geometry::{Geometry, Segment};
use loops::{GROUP, LANES, Loops};
use tree::Tree;

/// The most elements of a leaf, and of one whose elements have far fewer bits than the states that they are added to.
const LEAF: usize = 64 * LANES;
const LONG_LEAF: usize = 256 * LANES;

/// The elements of a piece: a power of two of leaves.
const PIECE: usize = 8 * LONG_LEAF;

/// The results whose states are combined with one row of elements: so many that a row is worth the page of memory that it lies
/// on, and more if they have few elements; and those that are computed one after the other.
const COLUMNS: usize = 512;
const MOST_COLUMNS: usize = 1024;
const ROWS: usize = 16;

/// Bytes that are gathered together, at most, unless [`GROUP`] steps of all lanes have more.
const GATHERED: usize = 32 << 10;

/// A stage that reduces its input to one or two outputs.
pub struct Reduce {
    /// The axes of the input, the kept ones first.
    axes: Vec<Axis>,
    kept: usize,
    /// From the type of the input to the one that the loops read, and the bytes of that.
    load: Conversions,
    size: usize,
    loops: Box<dyn Loops>,
    /// Whether both words of a result are the parts of one complex number.
    is_complex: bool,
    /// Which word of a result each output gets, and how it becomes the type of the output.
    outputs: Vec<(usize, Conversions)>,
    is_apart: bool,
}

impl Reduce {
    /// `load` converts to the compute type of the function, and each of `outputs` from its result.
    pub fn new(
        axes: Vec<Axis>,
        kept: usize,
        load: (Conversions, usize),
        (loops, is_complex): (Box<dyn Loops>, bool),
        outputs: Vec<(usize, Conversions)>,
    ) -> Self {
        let sizes: Vec<usize> = axes[..kept].iter().map(|axis| axis.size).collect();
        let is_apart = (0..outputs.len()).all(|output| {
            let strides: Vec<isize> = axes[..kept].iter().map(|axis| axis.outputs[output]).collect();
            span::lies_apart(&sizes, &strides)
        });
        Self { axes, kept, load: load.0, size: load.1, loops, is_complex, outputs, is_apart }
    }
}

impl Whole for Reduce {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let [input] = inputs else { return Ok(()) };
        // An input that an output shares memory with is read completely before anything is written.
        let copy = outputs.iter().any(|output| output.overlaps(input)).then(|| input.copy()).transpose()?;
        let (input, geometry) = match &copy {
            None => (*input, Geometry::of(&self.axes, self.kept)),
            Some(copy) => {
                let mut axes = self.axes.clone();
                let mut stride = 1;
                for axis in axes.iter_mut().rev() {
                    axis.input = stride;
                    stride *= axis.size as isize;
                }
                (input.copied(0, copy), Geometry::of(&axes, self.kept))
            }
        };
        let (lanes, planes) = (geometry.count.min(LANES), self.loops.planes());
        let columns = match geometry.is_in_rows {
            true => ROWS,
            false => (COLUMNS * LANES / lanes).min(MOST_COLUMNS) / planes,
        };
        let leaf = if self.size < size_of::<u64>() { LONG_LEAF } else { LEAF };
        let work = Work { reduce: self, input, outputs, geometry: &geometry, lanes, columns, leaf };
        let bytes = geometry.results().saturating_mul(geometry.count).saturating_mul(input.size());
        let pieces = geometry.count.div_ceil(PIECE);
        let panels = geometry.results().div_ceil(geometry.panel.size) * geometry.panel.size.div_ceil(columns);
        if pieces <= 1 {
            let part = |range: Range<usize>| {
                with_kept(&BUFFERS, Buffers::new, |buffers| {
                    for panel in range {
                        let panel = work.panel(panel);
                        work.reduce(&panel, 0..geometry.count, buffers);
                        work.write(&panel, buffers);
                    }
                });
            };
            match self.is_apart {
                true => share::each(panels, 1, bytes, &part),
                false => part(0..panels),
            }
            return Ok(());
        }
        let words = columns * self.loops.planes();
        let states = panels.saturating_mul(pieces).saturating_mul(words);
        let states: Vec<AtomicU64> = allocation::collect((0..states).map(|_| AtomicU64::new(0)))?;
        share::each(panels * pieces, 1, bytes, &|range| {
            with_kept(&BUFFERS, Buffers::new, |buffers| {
                for task in range {
                    let (panel, first) = (work.panel(task / pieces), task % pieces * PIECE);
                    work.reduce(&panel, first..geometry.count.min(first + PIECE), buffers);
                    for (kept, word) in states[task * words..].iter().zip(&buffers.results) {
                        kept.store(*word, Ordering::Relaxed);
                    }
                }
            });
        });
        with_kept(&BUFFERS, Buffers::new, |buffers| {
            for number in 0..panels {
                let panel = work.panel(number);
                work.combine(&panel, &states[number * pieces * words..][..pieces * words], words, buffers);
                work.write(&panel, buffers);
            }
        });
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["reduce"]
    }
}

/// One launch.
struct Work<'a> {
    reduce: &'a Reduce,
    input: Bound<'a>,
    outputs: &'a [Bound<'a>],
    geometry: &'a Geometry,
    /// The lanes that have elements.
    lanes: usize,
    /// The most results of a panel.
    columns: usize,
    /// The most elements of a leaf.
    leaf: usize,
}

/// Some neighbouring results.
struct Panel {
    /// Where their elements begin, and where they are written.
    input: isize,
    outputs: [isize; 2],
    columns: usize,
}

impl Work<'_> {
    fn panel(&self, number: usize) -> Panel {
        let Geometry { panel, .. } = self.geometry;
        let along = panel.size.div_ceil(self.columns);
        let first = number % along * self.columns;
        let mut start = self.geometry.outer(number / along);
        start.advance(panel, first);
        Panel { input: start.input, outputs: start.outputs, columns: self.columns.min(panel.size - first) }
    }

    /// Reduces the elements `range` of each result of a panel to states, in `Buffers::results`.
    fn reduce(&self, panel: &Panel, range: Range<usize>, buffers: &mut Buffers) {
        let planes = self.reduce.loops.planes();
        buffers.results.clear();
        buffers.results.resize(panel.columns * planes, 0);
        if self.geometry.is_in_rows && range.len() <= self.leaf && self.reduce_leaves(panel, &range, buffers)
        {
            return;
        }
        let together = if self.geometry.is_in_rows { 1 } else { panel.columns };
        let levels = Tree::levels(range.len().div_ceil(self.leaf));
        buffers.states.resize(planes * (self.lanes + levels) * together, 0);
        for first in (0..panel.columns).step_by(together) {
            let offset = panel.input + first as isize * self.geometry.panel.input;
            self.reduce_columns(offset, together, range.clone(), buffers);
            let length = buffers.states.len() / planes;
            let tree = self.lanes * together;
            for plane in 0..planes {
                let from = &buffers.states[plane * length + tree..][..together];
                buffers.results[plane * panel.columns + first..][..together].copy_from_slice(from);
            }
        }
    }

    /// Reduces the elements `range` of some neighbouring results to the first states of a tree.
    fn reduce_columns(&self, offset: isize, columns: usize, range: Range<usize>, buffers: &mut Buffers) {
        let loops = &*self.reduce.loops;
        let mut tree = Tree::new(loops, self.lanes * columns, columns);
        if columns == 1 {
            self.reduce_one(offset, range, &mut tree, buffers);
            return tree.finish(&mut buffers.states);
        }
        for leaf in range.clone().step_by(self.leaf) {
            let leaf = leaf..range.end.min(leaf + self.leaf);
            self.leaves(offset, columns, leaf.clone(), range.end, buffers);
            self.fold(columns, leaf.len(), tree.next(), &mut buffers.states);
            tree.push(&mut buffers.states, leaf.len());
        }
        tree.finish(&mut buffers.states);
    }

    /// Reduces a leaf of each result of a panel. Returns false if there is no loop for that.
    fn reduce_leaves(&self, panel: &Panel, range: &Range<usize>, buffers: &mut Buffers) -> bool {
        let Buffers { results, raw, seen, between, .. } = buffers;
        (0..panel.columns).all(|column| {
            let offset = panel.input + column as isize * self.geometry.panel.input;
            let leaf = self.elements(offset, 1, range.clone(), raw);
            let leaf = self.converted(range.len(), leaf, seen, between);
            self.reduce.loops.leaf(results, column, leaf, range.start / LANES)
        })
    }

    /// Reduces the elements `range` of one result, a leaf after the other.
    fn reduce_one(&self, offset: isize, range: Range<usize>, tree: &mut Tree<'_>, buffers: &mut Buffers) {
        let Buffers { states, raw, seen, between, .. } = buffers;
        for first in range.clone().step_by(self.leaf) {
            let leaf = first..range.end.min(first + self.leaf);
            let (numel, step) = (leaf.len(), first / LANES);
            let leaf = self.elements(offset, 1, leaf, raw);
            let leaf = self.converted(numel, leaf, seen, between);
            if !self.reduce.loops.leaf(states, tree.next(), leaf, step) {
                self.reduce.loops.clear(states, numel.min(LANES), step);
                self.add_turns(leaf, 1, step, 0, states);
                self.fold(1, numel, tree.next(), states);
            }
            tree.push(states, numel);
        }
    }

    /// Reduces a leaf of some neighbouring results to the states of its lanes. `end` is the end of their elements.
    fn leaves(&self, offset: isize, columns: usize, leaf: Range<usize>, end: usize, buffers: &mut Buffers) {
        let loops = &*self.reduce.loops;
        let Buffers { states, raw, seen, between, .. } = buffers;
        let mut rows: Vec<&[u8]> = Vec::new();
        loops.clear(states, leaf.len().min(LANES) * columns, leaf.start / LANES);
        // Rows that are read where they lie are added all at once.
        if self.reduce.load.is_empty() && self.find_rows(offset, columns, leaf.clone(), &mut rows) {
            return self.add_rows(&rows, columns, leaf.start / LANES, 0, (states, seen, between));
        }
        // Whole groups of steps are gathered together.
        let group = GROUP * LANES * columns * self.input.size().max(self.reduce.size);
        let together = (GATHERED / group).clamp(1, self.leaf / (GROUP * LANES)) * GROUP * LANES;
        for first in leaf.clone().step_by(together) {
            let elements = first..leaf.end.min(first + together);
            let (numel, nth) = (elements.len() * columns, (first - leaf.start) / LANES);
            // No processor foresees rows that are far from each other.
            let next = elements.end..end.min(elements.end + together);
            self.geometry.segments(next).for_each(|Segment { first, count, stride }| {
                let strides = [stride, self.geometry.panel.input];
                self.input.prefetch_plane(offset + first, strides, [count, columns], true);
            });
            if self.find_rows(offset, columns, elements.clone(), &mut rows) {
                self.add_rows(&rows, columns, first / LANES, nth, (states, seen, between));
                continue;
            }
            let from = self.elements(offset, columns, elements, raw);
            let from = self.converted(numel, from, seen, between);
            self.add_turns(from, columns, first / LANES, nth, states);
        }
    }

    /// Adds rows of one element of each lane and each of some neighbouring results.
    fn add_turns(&self, elements: &[u8], columns: usize, step: usize, nth: usize, states: &mut [u64]) {
        let loops = &*self.reduce.loops;
        let row = LANES * columns * self.reduce.size;
        let (whole, rest) = elements.split_at(elements.len() - elements.len() % row);
        let turns: SmallVec<[&[u8]; LONG_LEAF / LANES]> = whole.chunks_exact(row).collect();
        let (groups, last) = turns.split_at(turns.len() - turns.len() % GROUP);
        loops.add(states, 0, groups, step, nth);
        // The last group of a lane has an element more if there is one in the rest.
        let (step, nth) = (step + groups.len(), nth + groups.len());
        let longer: SmallVec<[&[u8]; GROUP]> =
            last.iter().map(|turn| &turn[..rest.len()]).chain([rest]).collect();
        let others: SmallVec<[&[u8]; GROUP]> = last.iter().map(|turn| &turn[rest.len()..]).collect();
        loops.add(states, 0, &longer, step, nth);
        loops.add(states, rest.len() / self.reduce.size, &others, step, nth);
    }

    /// Merges the lanes of a leaf of `count` elements into the states from `to` on.
    fn fold(&self, columns: usize, count: usize, to: usize, states: &mut [u64]) {
        loops::fold(&*self.reduce.loops, states, columns, count);
        let length = states.len() / self.reduce.loops.planes();
        for plane in states.chunks_exact_mut(length) {
            plane.copy_within(..columns, to);
        }
    }

    /// Adds rows, each of one element of some neighbouring results, lane by lane.
    fn add_rows(
        &self,
        rows: &[&[u8]],
        columns: usize,
        step: usize,
        nth: usize,
        (states, seen, between): (&mut [u64], &mut Vec<Line>, &mut Block),
    ) {
        for lane in 0..rows.len().min(LANES) {
            let own = rows[lane..].iter().step_by(LANES).copied();
            if self.reduce.load.is_empty() {
                let own: SmallVec<[&[u8]; LONG_LEAF / LANES]> = own.collect();
                self.reduce.loops.add(states, lane * columns, &own, step, nth);
                continue;
            }
            let size = columns * self.reduce.size;
            let to = bytes_of(seen, own.len() * size);
            for (from, to) in own.zip(to.chunks_exact_mut(size)) {
                self.reduce.load.apply_all(columns, from, to, between);
            }
            let own: SmallVec<[&[u8]; GROUP]> = to.chunks_exact(size).collect();
            self.reduce.loops.add(states, lane * columns, &own, step, nth);
        }
    }

    /// Elements in the type that the loops read.
    fn converted<'b>(
        &self,
        numel: usize,
        from: &'b [u8],
        seen: &'b mut Vec<Line>,
        between: &mut Block,
    ) -> &'b [u8] {
        if self.reduce.load.is_empty() {
            return from;
        }
        let to = bytes_of(seen, numel * self.reduce.size);
        self.reduce.load.apply_all(numel, from, to, between);
        to
    }

    /// Finds the elements `range` of some neighbouring results where they lie, a row of one element of each after the other.
    /// Returns false if they have to be copied for that, or are so few that this is faster.
    fn find_rows<'a>(
        &'a self,
        offset: isize,
        columns: usize,
        range: Range<usize>,
        rows: &mut Vec<&'a [u8]>,
    ) -> bool {
        const FEW: usize = 32;
        if columns < FEW {
            return false;
        }
        rows.clear();
        self.geometry.segments(range).all(|Segment { first, count, stride }| {
            let strides = [stride, self.geometry.panel.input];
            let found = self.input.rows(offset + first, strides, [count, columns]);
            found.map(|found| rows.extend(found)).is_some()
        })
    }

    /// The elements `range` of some neighbouring results, as rows of one element of each.
    fn elements<'b>(
        &'b self,
        offset: isize,
        columns: usize,
        range: Range<usize>,
        raw: &'b mut Vec<Line>,
    ) -> &'b [u8] {
        let (size, across) = (self.input.size(), self.geometry.panel.input);
        let mut segments = self.geometry.segments(range.clone());
        if let (1, Some(Segment { first, count, stride })) = (columns, segments.clone().next())
            && count == range.len()
            && let Some(bytes) = self.input.run(0, offset + first, stride).contiguous(0..count)
        {
            return bytes;
        }
        let gathered = bytes_of(raw, range.len() * columns * size);
        let mut rest = &mut *gathered;
        segments.try_for_each(|Segment { first, count, stride }| {
            let (rows, after) = std::mem::take(&mut rest).split_at_mut_checked(count * columns * size)?;
            rest = after;
            // A single column is a row, for which copies are faster.
            let (strides, counts) = match columns {
                1 => ([0, stride], [1, count]),
                _ => ([stride, across], [count, columns]),
            };
            self.input.gather_plane(offset + first, strides, counts, rows);
            Some(())
        });
        gathered
    }

    /// Combines the states of pieces.
    fn combine(&self, panel: &Panel, pieces: &[AtomicU64], words: usize, buffers: &mut Buffers) {
        let loops = &*self.reduce.loops;
        let (planes, columns, count) = (loops.planes(), panel.columns, self.geometry.count);
        let Buffers { states, results, .. } = buffers;
        states.resize(planes * Tree::levels(count.div_ceil(PIECE)) * columns, 0);
        let length = states.len() / planes;
        let mut tree = Tree::new(loops, 0, columns);
        for (number, piece) in pieces.chunks_exact(words).enumerate() {
            let next = tree.next();
            for (plane, from) in states.chunks_exact_mut(length).zip(piece.chunks_exact(columns)) {
                for (word, from) in plane[next..].iter_mut().zip(from) {
                    *word = from.load(Ordering::Relaxed);
                }
            }
            tree.push(states, PIECE.min(count - number * PIECE));
        }
        tree.finish(states);
        results.clear();
        states.chunks_exact(length).for_each(|plane| results.extend_from_slice(&plane[..columns]));
    }

    /// Writes the results of the states in `Buffers::results`.
    fn write(&self, panel: &Panel, buffers: &mut Buffers) {
        let Buffers { results, words, raw, between, .. } = buffers;
        let columns = panel.columns;
        words.resize(4 * columns, 0);
        let (first, rest) = words.split_at_mut(columns);
        let (second, rest) = rest.split_at_mut(columns);
        self.reduce.loops.finish(results, self.geometry.count, [&mut *first, &mut *second]);
        let complex = &mut rest[..if self.reduce.is_complex { 2 * columns } else { 0 }];
        for (both, parts) in complex.chunks_exact_mut(2).zip(first.iter().zip(&*second)) {
            both.copy_from_slice(&[*parts.0, *parts.1]);
        }
        for (number, (output, (part, conversions))) in
            self.outputs.iter().zip(&self.reduce.outputs).enumerate()
        {
            let words = match part {
                _ if self.reduce.is_complex => &*complex,
                0 => &*first,
                _ => &*second,
            };
            let to = bytes_of(raw, columns * output.size());
            conversions.apply_all(columns, bytemuck::cast_slice(words), to, between);
            let across = self.geometry.panel.outputs[number];
            output.scatter_plane(panel.outputs[number], [0, across], [1, columns], to, false);
        }
    }
}
