//! Gradients of what was repeated, added to groups or interpolated.

use aclnn_numerics::layout::Shape;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::axis::segments::{add_rows, sum_groups, sum_runs};
use cann_kernels::images::gradients_of_points;
use cann_kernels::{Cause, Failure};

use crate::operators::axes::{axis_in, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes, when_divided};
use crate::operators::lane_planner::{Planner, ints};
use crate::operators::signatures;
use crate::status::Result;

pub(super) fn grouped_bias_add_grad(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["gradY", "out"])?;
    let ([grad, out], groups) = (&tensors, call.optional_tensor("groupIdxOptional")?);
    check::alike(&[grad, out], signatures::grouped_bias_add_grad.takes)?;
    if let Some(groups) = &groups {
        check::dtype(groups, Types::of("i32 i64"))?;
    }
    let kind = if call.has("groupIdxType") { call.int("groupIdxType")? } else { 0 };
    let checked = || -> Result<[usize; 3]> {
        let [count, rows, columns] = match &groups {
            Some(groups) => {
                let ([rows, columns], [count]) = (sizes(grad)?, sizes(groups)?);
                [count, rows, columns]
            }
            None => sizes(grad)?,
        };
        if !(0..=1).contains(&kind) {
            return invalid(format_args!("groupIdxType is {kind}, but must be 0, for ends, or 1, for sizes"));
        }
        check::output_shape(out, &[count, columns])?;
        Ok([count, rows, columns])
    };
    let [count, rows, columns] = checked().map_err(when_divided)?;
    if grad.is_empty() || out.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (all, results) = (rows.saturating_mul(columns), count.saturating_mul(columns));
    let Some(groups) = &groups else {
        let (x, out) = (planner.rows(grad, all)?, planner.out(out, columns)?);
        planner.lanes(count, [x], [out], "sums of groups", move |[x], [out]| {
            out.fill(0.0);
            add_rows(x, out);
        })?;
        return Ok(planner.plan());
    };
    let inputs = [planner.rows(grad, all)?, planner.numbers(groups, count)?];
    let out = planner.out(out, results)?;
    planner.lanes(1, inputs, [out], "sums of groups", move |[x, groups], [out]| {
        sum_groups((x, columns), ints(groups), kind == 1, out);
    })?;
    Ok(planner.plan())
}

pub(super) fn repeat_interleave_grad(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["yGrad", "out"])?;
    let ([grad, out], repeats) = (&tensors, call.tensor("repeats")?);
    check::alike(&[grad, out], signatures::repeat_interleave_grad.takes)?;
    check::dtype(&repeats, Types::of("i32 i64"))?;
    let checked = || -> Result<[usize; 4]> {
        check::rank(grad)?;
        let axis = axis_in("axis", call.int("axis")?, grad.rank())?;
        let (long, short) = (grad.shape()?[axis], out.shape()?.get(axis).copied().unwrap_or(0));
        let of_out =
            grad.shape()?.iter().enumerate().map(|(own, size)| if own == axis { short } else { *size });
        check::output_shape(out, &of_out.collect::<Shape>())?;
        let entries = repeats.shape()?.numel().unwrap_or(0);
        match entries {
            1 if short > 0 && long.is_multiple_of(short) => {}
            1 => {
                return invalid(format_args!(
                    "yGrad has {long} slices along axis {axis}, which are not a multiple of {short}"
                ));
            }
            _ => check::have_elements(&[Some(&repeats)], short)?,
        }
        Ok([axis, long, short, entries])
    };
    let [axis, long, short, entries] = checked().map_err(when_divided)?;
    if grad.is_empty() || out.is_empty() {
        return Ok(Plan::empty());
    }
    let count = grad.shape()?.numel().unwrap_or(0) / long;
    let mut planner = Planner::new();
    let along = |operand: &Operand, dtype| operand.lanes(dtype, &[axis]);
    let x = planner.read(grad, long, &along)?;
    let lengths = planner.all(Some(&repeats), count)?.map(|lanes| lanes.whole());
    let out = planner.write(out, short, &along)?;
    let each = if entries == 1 { Some((long / short) as i32) } else { None };
    planner.try_lanes(
        count,
        [x, lengths],
        [out],
        "sums of repeated slices",
        move |[x, lengths], [out]| {
            sum_runs(x, each, ints(lengths), out).map_err(|len| {
                let message = format_args!("repeats has {len}, which are more slices than there are");
                Failure::new(Cause::AiCore, message)
            })
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn three_interpolate_backward(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["grad_x", "weight", "grad_y"])?;
    let ([grad, weight, out], places) = (&tensors, call.tensor("idx")?);
    check::alike(&[grad, weight, out], signatures::three_interpolate_backward.takes)?;
    check::dtype(&places, Types::of("i32 i64"))?;
    let [batch, channels, count] = sizes(grad)?;
    has_shape(weight, &[batch, count, 3])?;
    has_shape(&places, weight.shape()?)?;
    let m = call.int("m")?;
    let Ok(points) = usize::try_from(m) else { return invalid(format_args!("m is {m}")) };
    check::output_shape(out, &[batch, channels, points])?;
    if grad.is_empty() || out.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    // Those of a batch serve each of its channels.
    let beside = |operand: &Operand, dtype| {
        let strides = operand.strides();
        let grid = [batch, channels, count, 3];
        operand.view_of(dtype, &grid, &[strides[0], 0, strides[1], strides[2]], operand.offset())
    };
    let triples = count.saturating_mul(3);
    let inputs = [
        planner.rows(grad, count)?,
        planner.read(&places, triples, &beside)?.map(|lanes| lanes.whole()),
        planner.read(weight, triples, &beside)?,
    ];
    let out = planner.out(out, points)?;
    let lanes = batch * channels;
    planner.try_lanes(lanes, inputs, [out], "gradients of points", |[g, places, weights], [out]| {
        gradients_of_points(g, ints(places), weights, out).map_err(|place| {
            Failure::new(Cause::AiCore, format_args!("idx has {place}, but there is no such point"))
        })
    })?;
    Ok(planner.plan())
}
