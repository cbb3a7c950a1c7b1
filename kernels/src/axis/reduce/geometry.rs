//! The axes of a reduction, as few as possible: which results lie side by side, and where their elements are.

use std::ops::Range;

/// Results of fewer elements are computed side by side even where the elements of each lie one after the other.
const SHORT: usize = 256;

/// An axis of the input; where it is kept, also of the outputs.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    pub size: usize,
    /// Elements from one to the next.
    pub input: isize,
    pub outputs: [isize; 2],
}

impl Axis {
    const SINGLE: Self = Self { size: 1, input: 0, outputs: [0; 2] };

    /// Both axes as one, if the elements along `inner` continue along `self`.
    fn joined(&self, inner: &Axis) -> Option<Axis> {
        let size = inner.size as isize;
        let continues = |outer: isize, inner: isize| outer == inner * size;
        let all = continues(self.input, inner.input)
            && self.outputs.iter().zip(inner.outputs).all(|(outer, inner)| continues(*outer, inner));
        all.then_some(Axis { size: self.size * inner.size, ..*inner })
    }
}

/// The offsets of an element, and of its results.
#[derive(Clone, Copy, Default)]
pub(super) struct Offsets {
    pub(super) input: isize,
    pub(super) outputs: [isize; 2],
}

impl Offsets {
    pub(super) fn advance(&mut self, axis: &Axis, steps: usize) {
        self.input += axis.input * steps as isize;
        for (offset, stride) in self.outputs.iter_mut().zip(axis.outputs) {
            *offset += stride * steps as isize;
        }
    }
}

pub(super) struct Geometry {
    /// The kept axes but one.
    outer: Vec<Axis>,
    /// The kept axis along which results are computed together.
    pub(super) panel: Axis,
    reduced: Vec<Axis>,
    /// Elements of a result.
    pub(super) count: usize,
    /// Whether each result is computed alone, as its elements lie closer to each other than those of different results.
    pub(super) is_in_rows: bool,
}

/// Elements of a result at one distance from each other.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    pub(super) first: isize,
    pub(super) count: usize,
    pub(super) stride: isize,
}

impl Geometry {
    pub(super) fn of(axes: &[Axis], kept: usize) -> Self {
        let (kept, reduced) = axes.split_at(kept);
        let (mut outer, mut reduced) = (joined(kept), joined(reduced));
        let nearest = (0..outer.len()).rev().min_by_key(|index| outer[*index].input.unsigned_abs());
        let panel = nearest.map_or(Axis::SINGLE, |index| outer.remove(index));
        if reduced.is_empty() {
            reduced.push(Axis::SINGLE);
        }
        let count = reduced.iter().map(|axis| axis.size).product();
        let inner = reduced.last().map_or(0, |axis| axis.input.unsigned_abs());
        let is_in_rows = panel.size == 1 || count >= SHORT && inner < panel.input.unsigned_abs();
        Self { outer, panel, reduced, count, is_in_rows }
    }

    /// How many results there are.
    pub(super) fn results(&self) -> usize {
        self.outer.iter().map(|axis| axis.size).product::<usize>() * self.panel.size
    }

    /// Where number `number` of the results begins that are first along the axis of the panel.
    pub(super) fn outer(&self, number: usize) -> Offsets {
        let (mut offsets, mut rest) = (Offsets::default(), number);
        for axis in self.outer.iter().rev() {
            offsets.advance(axis, rest % axis.size);
            rest /= axis.size;
        }
        offsets
    }

    /// The elements `range` of a result.
    pub(super) fn segments(&self, range: Range<usize>) -> impl Iterator<Item = Segment> + Clone {
        let inner = self.reduced.last().copied().unwrap_or(Axis::SINGLE);
        let mut next = range.start;
        std::iter::from_fn(move || {
            let within = next % inner.size;
            let count = (range.end.checked_sub(next)?).min(inner.size - within);
            let (mut first, mut rest) = (inner.input * within as isize, next / inner.size);
            for axis in self.reduced.iter().rev().skip(1) {
                first += axis.input * (rest % axis.size) as isize;
                rest /= axis.size;
            }
            next += count;
            (count > 0).then_some(Segment { first, count, stride: inner.input })
        })
    }
}

/// The axes, without those of one element, where neighbours that continue each other are one.
fn joined(axes: &[Axis]) -> Vec<Axis> {
    let mut joined: Vec<Axis> = Vec::new();
    for axis in axes.iter().filter(|axis| axis.size != 1) {
        match joined.last_mut().map(|last| (last.joined(axis), last)) {
            Some((Some(both), last)) => *last = both,
            _ => joined.push(*axis),
        }
    }
    joined
}
