//! Elements that are quantised and written along an axis.

use aclnn_numerics::DType::{BF16, F32, I8, I32};
use cann_kernels::indexing::index::{From, Scatter};
use cann_kernels::networks::attention::{Scale, steps_of};

use super::written_cache::{WrittenCache, every_lane};
use crate::operators::axes::{axis_in, invalid};
use crate::operators::call::{Call, Plan};
use crate::operators::index::scatter::places_along;
use crate::operators::stage_planner::{ANY_INDICES, StagePlanner, typed};
use crate::operators::{check, signatures};
use crate::status::Result;

/// Writes rows of `updates` to the same axes of an operand, but for one: there the rows of each first number begin at a place
/// that `indices` has, and so may the first number.
pub(super) fn quantised_scatter(call: &Call<'_>) -> Result<Plan> {
    let [own, indices, updates, scales] =
        call.tensors_of(["selfRef", "indices", "updates", "quantScales"])?;
    let zero_points = call.optional_tensor("quantZeroPoints")?;
    check::dtype(&updates, signatures::quantised_scatter.takes)?;
    check::exactly(&own, I8)?;
    typed(&indices, ANY_INDICES)?;
    typed(&scales, &[F32, BF16])?;
    check::each(zero_points.as_slice(), |points| typed(points, &[I32, BF16]))?;
    let (shape, given) = (own.shape()?, updates.shape()?);
    let rank = shape.rank();
    let along = axis_in("axis", call.int("axis")?, rank)?;
    let quant_axis = axis_in("quantAxis", call.int("quantAxis")?, rank)?;
    if !(3..=8).contains(&rank)
        || given.rank() != rank
        || along == 0
        || along + 1 == rank
        || quant_axis + 1 != rank
    {
        return invalid(format_args!(
            "selfRef has shape {shape} and updates {given}; both have three to eight axes, axis is neither the first nor the \
             last one, and quantAxis the last"
        ));
    }
    let len = given.last().copied().unwrap_or(0);
    for list in [Some(&scales), zero_points.as_ref()].into_iter().flatten() {
        if list.shape()?.numel() != Some(len) || list.shape()?.last() != Some(&len) {
            return invalid(format_args!(
                "{} has shape {}, but must have {len} elements",
                list.name,
                list.shape()?
            ));
        }
    }
    if call.has("roundMode")
        && !matches!(call.optional_text("roundMode")?.as_deref(), None | Some("" | "rint" | "round"))
    {
        return invalid("roundMode must be \"rint\"");
    }
    if [&own, &indices, &updates].iter().any(|operand| operand.is_empty()) {
        return Ok(Plan::empty());
    }
    let count: usize = given.iter().take(rank - 1).product();
    let mut planner = StagePlanner::default();
    let mut inputs = vec![planner.read(&updates, len, Some(F32))?, every_lane(&mut planner, &scales, count)?];
    if let Some(points) = &zero_points {
        inputs.push(every_lane(&mut planner, points, count)?);
    }
    let room = WrittenCache {
        cache: &own,
        scale: Some(&scales),
        offset: zero_points.as_ref(),
        kind: Scale::Divisor,
        len,
    };
    let rows = room.memory(&mut planner, count)?;
    let place = rows.0;
    planner.builder.lanes(inputs, [rows], count, steps_of(true, zero_points.is_some()));
    let grid = places_along(&own, &indices, &updates, call.int("axis")?)?;
    let (positions, mut inputs) = grid.positions(&mut planner.builder)?;
    inputs.push(place);
    let from = From::Tensor(inputs.len() - 1);
    let to = planner.builder.write(&own, I8, own.in_order(I8)?, true)?;
    planner.builder.whole(&inputs, &[to], Scatter { positions, from, reduce: None });
    Ok(planner.plan())
}
