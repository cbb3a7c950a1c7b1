//! ConstantPadNd, and the paddings whose border repeats elements.

use std::ops::Range;

use aclnn_numerics::layout::{Layout, Shape};
use aclnn_numerics::signature::Movement;
use cann_kernels::allocation;

use super::pieces::{Pieces, element};
use super::rules::{dtype, layout, refuse, repeated, resized};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

/// Indices added before and after those of an axis; negative numbers cut some off.
#[derive(Clone, Copy, Default)]
struct Pad {
    before: i64,
    after: i64,
}

/// What the library makes of a pad of every axis: the shape of the result; `None` where a size would be negative.
fn padded(shape: &Shape, pads: &[Pad]) -> Option<Shape> {
    let size = |(size, pad): (&usize, &Pad)| {
        let size = i64::try_from(*size).ok()?;
        let sum = pad.before + pad.after;
        let least = size.checked_add(pad.before.min(pad.after).min(sum))?;
        usize::try_from(size.checked_add(sum)?).ok().filter(|_| least >= 0)
    };
    shape.iter().zip(pads).map(size).collect()
}

/// The pads of `rank` axes from pairs that begin with the last axis.
fn of_axes(pairs: &[i64], rank: usize) -> Result<Vec<Pad>> {
    // So that sums are numbers too.
    const MOST: u64 = 1 << 48;
    if let Some(pad) = pairs.iter().find(|pad| pad.unsigned_abs() > MOST) {
        return refuse(format_args!("a pad is {pad}, and no tensor is so large"));
    }
    let mut pads = vec![Pad::default(); rank];
    for (pad, pair) in pads.iter_mut().rev().zip(pairs.chunks_exact(2)) {
        *pad = Pad { before: pair[0], after: pair[1] };
    }
    Ok(pads)
}

pub(super) fn constant_pad_nd(call: &Call<'_>) -> Result<Plan> {
    let (own, pairs, value) = (call.tensor("self")?, call.ints("pad")?, call.scalar("value")?);
    let output = call.tensor("out")?;
    let dtype = dtype(&own, &output, &signatures::constant_pad_nd)?;
    check::rank(&own)?;
    let shape = own.shape()?;
    if pairs.len() % 2 != 0 || pairs.len() / 2 > shape.rank() {
        return refuse(format_args!(
            "pad has {} entries; two for each of at most {} axes are possible",
            pairs.len(),
            shape.rank()
        ));
    }
    let pads = of_axes(pairs, shape.rank())?;
    let grows = pairs.iter().any(|pad| *pad > 0);
    // Types of less than 16 bits that are no integers are only enlarged.
    if dtype.is_float() && dtype.bits() <= 8 && pairs.iter().any(|pad| *pad < 0) {
        return refuse(format_args!("pad is {pairs:?}, but {dtype} is not cut"));
    }
    let result = padded(shape, &pads).filter(|result| {
        let covered = result.iter().rev().take(pairs.len() / 2);
        !(grows && covered.into_iter().any(|size| *size == 0))
    });
    let Some(result) = result else {
        return refuse(format_args!("pad {pairs:?} leaves nothing of an axis of {shape}"));
    };
    check::output_shape(&output, &result)?;
    let (mut from, mut to) = (own.layout()?, output.layout()?);
    let mut pieces = Pieces::new();
    if grows {
        pieces.fill(&element(value.dtype, value.bytes(), dtype)?, (&output, to.clone()))?;
    }
    for (axis, pad) in pads.iter().enumerate() {
        let size = shape[axis] as i64;
        let shown = (-pad.before).clamp(0, size)..(size + pad.after).clamp(0, size);
        let shown = shown.start..shown.end.max(shown.start);
        let at = (shown.start + pad.before).max(0);
        let range = |from: i64, len: i64| from as usize..(from + len) as usize;
        let len = shown.end - shown.start;
        from = layout(from.slice(axis, range(shown.start, len), 1))?;
        to = layout(to.slice(axis, range(at, len), 1))?;
    }
    pieces.copy((&own, from), None, (&output, to))?;
    pieces.plan()
}

pub(super) fn reflection_pad(call: &Call<'_>) -> Result<Plan> {
    border(call, &signatures::reflection_pad, Border::Reflection)
}

pub(super) fn replication_pad(call: &Call<'_>) -> Result<Plan> {
    border(call, &signatures::replication_pad, Border::Replication)
}

pub(super) fn circular_pad(call: &Call<'_>) -> Result<Plan> {
    border(call, &signatures::circular_pad, Border::Circular)
}

/// What is shown around the elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Border {
    /// Their mirror image, without the outermost elements.
    Reflection,
    /// The outermost elements.
    Replication,
    /// The elements again.
    Circular,
}

/// A part of an axis of the result: where it lies, and the indices that it shows, from `first` on in steps of `step`, so many
/// times one after the other.
struct Run {
    at: Range<i64>,
    first: i64,
    step: isize,
    turns: i64,
}

impl Border {
    /// The indices that an axis of the result shows.
    fn shown(self, size: i64, pad: Pad) -> cann_kernels::Result<Vec<u32>> {
        let mut shown = allocation::zeros((size + pad.before + pad.after) as usize)?;
        for run in self.runs(size, pad) {
            let len = ((run.at.end - run.at.start) / run.turns.max(1)).max(1);
            for at in run.at.clone() {
                let along = (at - run.at.start) % len;
                shown[at as usize] = (run.first + run.step as i64 * along) as u32;
            }
        }
        Ok(shown)
    }

    /// The parts of an axis.
    fn runs(self, size: i64, Pad { before, after }: Pad) -> Vec<Run> {
        // Numbers count from the first index of the input.
        let window = -before..size + after;
        let mut runs = Vec::new();
        let mut show = |shown: Range<i64>, first: i64, step: isize, turns: i64| {
            let part = shown.start.max(window.start)..shown.end.min(window.end);
            if !part.is_empty() {
                let first = first + step as i64 * (part.start - shown.start);
                runs.push(Run { at: part.start - window.start..part.end - window.start, first, step, turns });
            }
        };
        match self {
            Border::Circular => {
                // What is cut off is not shown again.
                let (first, end) = ((-before).max(0), size - (-after).max(0));
                let len = (end - first).max(1);
                let turn = |index: i64| (index - first).div_euclid(len);
                let (low, high) = (turn(window.start), turn(window.end - 1));
                let from = |turn: i64| first + turn * len;
                // Whole turns are one part between the first and the last.
                show(from(low)..from(low + 1), first, 1, 1);
                show(from(low + 1)..from(high), first, 1, high - low - 1);
                show(from(high.max(low + 1))..from(high + 1), first, 1, 1);
            }
            Border::Reflection => {
                show(1 - size..0, size - 1, -1, 1);
                show(0..size, 0, 1, 1);
                show(size..2 * size - 1, size - 2, -1, 1);
            }
            Border::Replication => {
                show(window.start.min(0)..0, 0, 0, 1);
                show(0..size, 0, 1, 1);
                show(size..window.end.max(size), size - 1, 0, 1);
            }
        }
        runs
    }
}

/// The axes that a call pads, the last ones.
pub(super) struct Padded {
    axes: usize,
    pads: Vec<Pad>,
}

impl Padded {
    /// Checks the sizes of a tensor and of the same with a border around it. `None` if there is nothing to do.
    pub(super) fn of(
        call: &Call<'_>,
        own: &Operand,
        output: &Operand,
        border: Border,
    ) -> Result<Option<Self>> {
        let pairs = call.ints("padding")?;
        // The number of padded axes is in the name: ReflectionPad2d.
        let axes = call.info.name().bytes().rev().find_map(|byte| char::from(byte).to_digit(10)).unwrap_or(0)
            as usize;
        if own.rank() != axes + 1 && own.rank() != axes + 2 || output.rank() != own.rank() {
            let (own, out) = (own.rank(), output.rank());
            return refuse(format_args!(
                "self has {own} axes and {} {out}, but both must have {} or {}",
                output.name,
                axes + 1,
                axes + 2
            ));
        }
        if pairs.len() != 2 * axes {
            return refuse(format_args!("padding has {} entries, but must have {}", pairs.len(), 2 * axes));
        }
        let shape = own.shape()?;
        let pads = of_axes(pairs, shape.rank())?;
        let is_wide = |(size, pad): (&usize, &Pad)| pad.before.max(pad.after) >= *size as i64;
        if border == Border::Reflection && shape.iter().zip(&pads).skip(shape.rank() - axes).any(is_wide) {
            return refuse(format_args!(
                "padding is {pairs:?}; each entry must be less than the size of its axis of {shape}"
            ));
        }
        let size = |(size, pad): (&usize, &Pad)| {
            usize::try_from(i64::try_from(*size).ok()?.checked_add(pad.before + pad.after)?).ok()
        };
        let result: Option<Shape> = shape.iter().zip(&pads).map(size).collect();
        let Some(result) = result else {
            return refuse(format_args!("padding {pairs:?} leaves nothing of an axis of {shape}"));
        };
        let is_cut = |(size, pad): (&usize, &Pad)| pad.before.min(0) + pad.after.min(0) + *size as i64 <= 0;
        if !result.is_empty_tensor() && !shape.is_empty_tensor() && shape.iter().zip(&pads).any(is_cut) {
            return refuse(format_args!("padding {pairs:?} cuts off all of an axis of {shape}"));
        }
        check::output_shape(output, &result)?;
        if shape.is_empty_tensor() || result.is_empty_tensor() {
            if shape.rank() == axes + 1 || shape[1..].contains(&0) {
                return refuse(format_args!("self has shape {shape}, and nothing to pad with"));
            }
            return Ok(None);
        }
        Ok(Some(Self { axes, pads }))
    }

    /// Of each element of the result in the padded axes, the number of the one that it shows.
    pub(super) fn shown(&self, shape: &Shape, border: Border) -> cann_kernels::Result<Vec<u32>> {
        let first = shape.rank() - self.axes;
        let mut shown = vec![0];
        for (size, pad) in shape.iter().zip(&self.pads).skip(first) {
            let (outer, of_axis) = (shown, border.shown(*size as i64, *pad)?);
            shown = allocation::for_elements(outer.len() * of_axis.len())?;
            shown.extend(
                outer.iter().flat_map(|outer| of_axis.iter().map(move |own| outer * *size as u32 + own)),
            );
        }
        Ok(shown)
    }

    /// The padded axes.
    pub(super) fn axes(&self, shape: &Shape) -> Range<usize> {
        shape.rank() - self.axes..shape.rank()
    }
}

fn border(call: &Call<'_>, signature: &Movement, border: Border) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.tensor("out")?);
    // A null array is told before types.
    call.ints("padding")?;
    dtype(&own, &output, signature)?;
    let Some(Padded { axes, pads }) = Padded::of(call, &own, &output, border)? else {
        return Ok(Plan::empty());
    };
    let shape = own.shape()?;
    let mut parts = vec![(own.layout()?, output.layout()?)];
    for (axis, pad) in pads.iter().enumerate().skip(shape.rank() - axes) {
        let runs = border.runs(shape[axis] as i64, *pad);
        let mut split = Vec::with_capacity(parts.len() * runs.len());
        for (from, to) in &parts {
            // Parts of several turns have an axis more, before the others.
            let axis = from.rank() - (shape.rank() - axis);
            for run in &runs {
                let at = run.at.start as usize..run.at.end as usize;
                let (from, to) = (run.of(from, axis)?, layout(to.slice(axis, at, 1))?);
                split.push(if run.turns > 1 { run.in_turns(&from, &to, axis)? } else { (from, to) });
            }
        }
        parts = split;
    }
    let mut pieces = Pieces::new();
    for (from, to) in parts {
        pieces.copy((&own, from), None, (&output, to))?;
    }
    pieces.plan()
}

impl Run {
    /// The indices that the part shows, of a view of the input.
    fn of(&self, view: &Layout, axis: usize) -> Result<Layout> {
        let (first, count) = (self.first as usize, ((self.at.end - self.at.start) / self.turns) as usize);
        match self.step {
            0 => repeated(layout(view.slice(axis, first..first + 1, 1))?, axis, count),
            1 => layout(view.slice(axis, first..first + count, 1)),
            _ => layout(view.slice(axis, first + 1 - count..first + 1, -1)),
        }
    }

    /// The views of a part of several turns: the input's is repeated along a new first axis, into which the output's splits.
    fn in_turns(&self, from: &Layout, to: &Layout, axis: usize) -> Result<(Layout, Layout)> {
        let (turns, len) = (self.turns as usize, from.shape()[axis]);
        let from = repeated(layout(from.unsqueeze(0))?, 0, turns)?;
        let strides = [&[to.strides()[axis].saturating_mul(len as isize)], to.strides()].concat();
        let shape = [&[turns], &resized(to.shape(), axis, len)[..]].concat();
        Ok((from, layout(Layout::new(shape, &strides, to.offset()))?))
    }
}
