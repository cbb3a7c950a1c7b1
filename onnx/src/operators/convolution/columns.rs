//! Columns summed where they lie on an image.

use aclnn::{Tensor, ops};

use super::windows::{Axis, Moves, each, padded, sizes};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;

pub(super) fn col2im(node: &Node) -> NodeResult<Prepared> {
    let moves = Moves::of(node)?;
    Ok(Prepared::device(move |call| {
        let columns = call.tensor(0)?;
        let image = sizes("image_shape", &call.ints(1)?, 1)?;
        let block = sizes("block_shape", &call.ints(2)?, 1)?;
        let axes = moves.axes(&image, &block)?;
        if let [_, _] = axes.as_slice() {
            // Pads that both sides have are left to the operator; of others it sums a larger image, which is cut.
            let rest = |axis: &Axis| axis.before.max(axis.after);
            let size =
                each(&axes, |axis| axis.size + axis.before + axis.after - 2 * axis.before.min(axis.after))?;
            let both = each(&axes, |axis| axis.before.min(axis.after))?;
            let sum = call.widened([&columns], |[columns]| {
                ops::col2im(columns, size, kernel(&axes))
                    .dilation(pair(&axes, |axis| axis.dilation))
                    .stride(pair(&axes, |axis| axis.stride))
                    .padding(both)
                    .run()
            })?;
            if axes.iter().all(|axis| rest(axis) == axis.before.min(axis.after)) {
                return Ok(sum);
            }
            return cut(sum, &axes, |axis| axis.before - axis.before.min(axis.after));
        }
        summed(&columns, &axes)
    }))
}

fn pair(axes: &[Axis], number: impl Fn(&Axis) -> usize) -> [usize; 2] {
    match axes {
        [first, second] => [number(first), number(second)],
        _ => [1, 1],
    }
}

fn kernel(axes: &[Axis]) -> [usize; 2] {
    pair(axes, |axis| axis.kernel)
}

/// Returns the image within its pads.
fn cut(tensor: Tensor, axes: &[Axis], before: impl Fn(&Axis) -> usize) -> NodeResult<Tensor> {
    let mut tensor = tensor;
    for (place, axis) in axes.iter().enumerate() {
        tensor = tensor.narrow(place + 2, before(axis), axis.size)?;
    }
    Ok(tensor.contiguous()?)
}

/// Sums columns over images with any number of axes: one after the other, those of each place in the window.
fn summed(columns: &Tensor, axes: &[Axis]) -> NodeResult<Tensor> {
    let taps: usize = axes.iter().map(|axis| axis.kernel).product();
    let counts: Vec<usize> = axes.iter().map(|axis| axis.count).collect();
    let positions: usize = counts.iter().product();
    let (batches, channels) = match *columns.dims() {
        [batches, rows, count] if taps > 0 && rows % taps == 0 && count == positions => {
            (batches, rows / taps)
        }
        _ => {
            return Reason::text(format!(
                "its columns {:?} do not suit windows of {taps} elements at {positions} places",
                columns.dims()
            ));
        }
    };
    let columns = columns.contiguous()?.reshape([&[batches, channels, taps], &counts[..]].concat())?;
    let mut sum: Option<Tensor> = None;
    for tap in 0..taps {
        let mut part = columns.select(2, tap)?;
        let mut rest = tap;
        for (place, axis) in axes.iter().enumerate().rev() {
            let start = rest % axis.kernel * axis.dilation;
            rest /= axis.kernel;
            part = spread(&part, place + 2, axis, start)?;
        }
        sum = Some(match sum {
            Some(sum) => sum.add(&part)?,
            None => part,
        });
    }
    match sum {
        Some(sum) => cut(sum, axes, |axis| axis.before),
        None => Reason::text("its windows are empty"),
    }
}

/// Puts the elements of an axis to their places in the padded image, with zeros between them.
fn spread(tensor: &Tensor, place: usize, axis: &Axis, start: usize) -> NodeResult<Tensor> {
    let moved = tensor.movedim(place, -1)?.unsqueeze(-1)?;
    let apart = padded(&moved, &[(0, axis.stride - 1)], 0)?;
    let rank = apart.rank();
    let line = apart.contiguous()?.flatten(rank - 2, rank - 1)?;
    let length = (axis.count - 1) * axis.stride + 1;
    let line = line.narrow(-1, 0, length)?;
    let whole = axis.size + axis.before + axis.after;
    let line = padded(&line, &[(start, whole.saturating_sub(start + length))], 0)?;
    Ok(line.movedim(-1, place)?)
}
