//! Convolutions whose windows have their elements at places of their own.

use aclnn::{Tensor, ops};

use super::super::products::product;
use super::plain::groups;
use super::windows::{Axis, Moves, image};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};

pub(super) fn deform_conv(node: &Node) -> NodeResult<Prepared> {
    let (moves, groups) = (Moves::of(node)?, groups(node)?);
    let parts = match usize::try_from(node.int("offset_group", 1)?) {
        Ok(parts) if parts > 0 => parts,
        _ => return Reason::text("its attribute `offset_group` is not positive"),
    };
    Ok(Prepared::device(move |call| {
        let (x, weight, offsets) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
        let (bias, mask) = (call.optional_tensor(3)?, call.optional_tensor(4)?);
        let axes = moves.axes(image(x.dims())?, image(weight.dims())?)?;
        let (&[rows, columns], &[batches, channels, ..]) = (axes.as_slice(), x.dims()) else {
            return Reason::missing("images have another number of axes than two");
        };
        let &[made, each, ..] = weight.dims() else { return Reason::text("its weight has no channels") };
        let taps = rows.kernel * columns.kernel;
        let fits = channels > 0
            && offsets.dims() == [batches, parts.saturating_mul(2 * taps), rows.count, columns.count]
            && channels % parts == 0
            && each.checked_mul(groups) == Some(channels)
            && made % groups == 0;
        if !fits {
            return Reason::text(format!(
                "offsets {:?} and a weight {:?} do not suit images {:?} in {groups} groups with {parts} groups of offsets",
                offsets.dims(),
                weight.dims(),
                x.dims()
            ));
        }
        let images = call.wide(&x)?;
        let grid = grid(call, &call.as_type(offsets, images.dtype())?, parts, [rows, columns])?;
        let planes =
            images.contiguous()?.reshape([batches * parts, channels / parts, rows.size, columns.size])?;
        let mut sampled = ops::grid_sample(&planes, &grid).run()?;
        if let Some(mask) = mask {
            let mask = call.as_type(mask, images.dtype())?.contiguous()?;
            sampled =
                sampled.mul(&mask.reshape([batches * parts, 1, taps * rows.count, columns.count])?)?;
        }
        let places = rows.count * columns.count;
        let elements = sampled.reshape([batches, groups, each * taps, places])?;
        let weight = call.as_type(weight, images.dtype())?.contiguous()?;
        let weight = weight.reshape([1, groups, made / groups, each * taps])?;
        let y = product(&weight, &elements)?.reshape([batches, made, rows.count, columns.count])?;
        let y = match bias {
            Some(bias) => y.add(&call.as_type(bias, images.dtype())?.reshape([made, 1, 1])?)?,
            None => y,
        };
        call.as_type(y, x.dtype())
    }))
}

/// Returns the places of the elements of all windows, as a grid whose −1 and 1 are the edges of the image.
fn grid(call: &Call<'_>, offsets: &Tensor, parts: usize, axes: [Axis; 2]) -> NodeResult<Tensor> {
    let [rows, columns] = axes;
    let (batches, taps) = (offsets.dims().first().copied().unwrap_or(0), rows.kernel * columns.kernel);
    let offsets = offsets.contiguous()?.reshape([batches * parts, taps, 2, rows.count, columns.count])?;
    let along = |axis: &Axis, number: usize, starts: Vec<f64>, shape: [usize; 3]| -> NodeResult<Tensor> {
        let starts = Tensor::from_slice(call.stream(), &starts, shape)?;
        let places = offsets.select(2, number)?.add(&call.as_type(starts, offsets.dtype())?)?;
        let size = axis.size as f64;
        Ok(places.mul(2.0 / size)?.add(1.0 / size - 1.0)?)
    };
    let start =
        |axis: &Axis, tap: usize, window: usize| (axis.start(window) + (tap * axis.dilation) as i64) as f64;
    let of_rows: Vec<f64> = (0..taps)
        .flat_map(|tap| (0..rows.count).map(move |window| start(&rows, tap / columns.kernel, window)))
        .collect();
    let of_columns: Vec<f64> = (0..taps)
        .flat_map(|tap| (0..columns.count).map(move |window| start(&columns, tap % columns.kernel, window)))
        .collect();
    let y = along(&rows, 0, of_rows, [taps, rows.count, 1])?;
    let x = along(&columns, 1, of_columns, [taps, 1, columns.count])?;
    let grid = ops::stack(&[&x, &y], -1).run()?;
    Ok(grid.reshape([batches * parts, taps * rows.count, columns.count, 2])?)
}
