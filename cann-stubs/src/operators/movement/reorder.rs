//! Permute, Flip, Roll, Flatten and ChannelShuffle: the same elements in another order or shape.

use aclnn_numerics::layout::Layout;
use cann_kernels::indexing::movement::Rotation;
use cann_kernels::size_of_dtype;
use smallvec::SmallVec;

use super::lanes::{Lanes, plan};
use super::pieces::Pieces;
use super::rules::{axes, dtype, layout, output_like, refuse, written_like};
use crate::operators::axes::axis_in;
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn permute(call: &Call<'_>) -> Result<Plan> {
    let (own, dims, output) = (call.tensor("self")?, call.ints("dims")?, call.tensor("out")?);
    let dtype = dtype(&own, &output, &signatures::permute)?;
    if output.rank() != own.rank() || dims.len() != own.rank() {
        let (own, out, dims) = (own.rank(), output.rank(), dims.len());
        return refuse(format_args!(
            "self has {own} axes, out {out} and dims {dims} entries; all must be equal"
        ));
    }
    let axes = axes("dims", dims, own.rank())?;
    check::rank(&own)?;
    let view = layout(own.layout()?.permute(&axes))?;
    if own.shape()?.is_empty_tensor() {
        if !output.shape()?.is_empty_tensor() {
            written_like(&output, dtype, view.shape())?;
        }
        return Ok(Plan::empty());
    }
    let out = output_like(&output, view.shape())?;
    Pieces::one((&own, view), (&output, out))
}

pub(super) fn flip(call: &Call<'_>) -> Result<Plan> {
    let (own, dims, output) = (call.tensor("self")?, call.ints("dims")?, call.tensor("out")?);
    dtype(&own, &output, &signatures::flip)?;
    let axes = axes("dims", dims, own.rank())?;
    check::output_shape(&output, own.shape()?)?;
    check::rank(&own)?;
    let mut view = own.layout()?;
    for axis in axes {
        let size = view.shape()[axis];
        view = layout(view.slice(axis, 0..size, -1))?;
    }
    Pieces::one((&own, view), (&output, output.layout()?))
}

pub(super) fn flatten(call: &Call<'_>) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.tensor("out")?);
    dtype(&own, &output, &signatures::flatten)?;
    let axis = axis_in("axis", call.int("axis")?, own.rank().max(1))?;
    check::rank(&own)?;
    let shape = own.shape()?;
    let product = |sizes: &[usize]| sizes.iter().fold(1_usize, |product, size| product.saturating_mul(*size));
    let (rows, columns) = shape.split_at(axis.min(shape.rank()));
    check::output_shape(&output, &[product(rows), product(columns)])?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    // The output's axes split into those of the tensor, wherever its elements lie.
    let out = layout(output.layout()?.reshape(shape))?;
    Pieces::one((&own, own.layout()?), (&output, out))
}

pub(super) fn channel_shuffle(call: &Call<'_>) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.tensor("out")?);
    let groups = call.int("groups")?;
    dtype(&own, &output, &signatures::channel_shuffle)?;
    if !(3..=7).contains(&own.rank()) {
        return refuse(format_args!("self has {} axes; 3 to 7 are possible", own.rank()));
    }
    let shape = own.shape()?;
    let channels = shape[1];
    if groups <= 0 || channels % groups as usize != 0 {
        return refuse(format_args!("{channels} channels are not divided into {groups} groups"));
    }
    check::output_shape(&output, shape)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let groups = groups as usize;
    let grouped =
        |view: Layout, sizes: [usize; 2]| layout(view.reshape([&shape[..1], &sizes, &shape[2..]].concat()));
    let view = grouped(own.layout()?, [groups, channels / groups])?;
    let out = grouped(output.layout()?, [channels / groups, groups])?;
    Pieces::one((&own, layout(view.transpose(1, 2))?), (&output, out))
}

pub(super) fn roll(call: &Call<'_>) -> Result<Plan> {
    let (own, shifts, dims) = (call.tensor("x")?, call.ints("shifts")?, call.ints("dims")?);
    let output = call.tensor("out")?;
    let dtype = dtype(&own, &output, &signatures::roll)?;
    let is_flat = dims.is_empty() && shifts.len() == 1;
    if shifts.is_empty() || shifts.len() != dims.len() && !is_flat {
        return refuse(format_args!(
            "there are {} shifts for {} dims; each needs one, or one shift rolls all elements in a row",
            shifts.len(),
            dims.len()
        ));
    }
    let shape = own.shape()?;
    check::output_shape(&output, shape)?;
    check::rank(&own)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if is_flat {
        let numel = shape.numel().unwrap_or(usize::MAX);
        let shift = shifts[0].rem_euclid(numel as i64) as usize * size_of_dtype(dtype);
        let rows = |operand| Lanes::rows(operand, numel, dtype);
        return plan(vec![rows(&own)?], rows(&output)?, 1, Rotation { shift });
    }
    let mut moved: SmallVec<[usize; 8]> = SmallVec::from_elem(0, shape.rank());
    for (&dim, &shift) in dims.iter().zip(shifts.iter()) {
        let axis = axis_in("dims", dim, shape.rank())?;
        let size = shape[axis];
        moved[axis] = (moved[axis] + shift.rem_euclid(size as i64) as usize) % size;
    }
    let mut parts = vec![(own.layout()?, output.layout()?)];
    for (axis, &shift) in moved.iter().enumerate().filter(|(_, shift)| **shift > 0) {
        let left = shape[axis] - shift;
        let mut split = Vec::new();
        for (from, to) in &parts {
            for (of, at) in [(0..left, shift..shape[axis]), (left..shape[axis], 0..shift)] {
                split.push((layout(from.slice(axis, of, 1))?, layout(to.slice(axis, at, 1))?));
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
