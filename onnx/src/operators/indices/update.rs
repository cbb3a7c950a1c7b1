//! TensorScatter: a cache with new entries from a position on.

use aclnn::{DType, Shape};

use super::coordinates::element_places;
use super::scatter::{Reduction, along, to_places};
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared};

/// Returns the axis of positions, the number of new ones, and that of all.
fn sizes(call: &Call<'_>, axis: i64) -> NodeResult<(usize, usize, usize)> {
    let (cache, update) = (call.shape(0)?, call.shape(1)?);
    let axis = places::axis(axis, cache.rank())?;
    let same = |(own, (a, b)): (usize, (&usize, &usize))| own == axis || a == b;
    let (Some(&new), Some(&all)) = (update.get(axis), cache.get(axis)) else {
        return Reason::text(format!("its update has the shape {:?}", &update[..]));
    };
    match axis > 0
        && new <= all
        && cache.rank() == update.rank()
        && cache.iter().zip(&update[..]).enumerate().all(same)
    {
        true => Ok((axis, new, all)),
        false => Reason::text(format!("an update {:?} does not fit a cache {:?}", &update[..], &cache[..])),
    }
}

/// Returns a shape whose axes have the size 1, but for one of them.
fn along_axis(rank: usize, axis: usize, size: usize) -> Shape {
    (0..rank).map(|own| if own == axis { size } else { 1 }).collect()
}

pub(super) fn tensor_scatter(node: &Node) -> NodeResult<Prepared> {
    let axis = node.int("axis", -2)?;
    let circular = match node.text("mode", "linear")?.as_str() {
        "linear" => false,
        "circular" => true,
        other => return Reason::missing(format!("its mode is `{other}`")),
    };
    Ok(Prepared::device(move |call| {
        let (axis, new, all) = sizes(call, axis)?;
        let (cache, update) = (call.tensor(0)?, call.tensor(1)?);
        if update.numel() == 0 {
            return Ok(cache);
        }
        let rank = cache.rank();
        let mut positions = call.upload(&Array::line(0..new as i64).reshape(along_axis(rank, axis, new))?)?;
        if let Some(starts) = call.optional_tensor(2)? {
            let starts = starts.cast(DType::I64)?.reshape(along_axis(rank, 0, starts.numel()))?;
            positions = starts.add(&positions)?;
            if circular {
                positions = positions.remainder(all as i64)?;
            }
        }
        let positions = positions.broadcast_to(update.shape())?;
        along(call, (&cache, &positions, &update), axis, Reduction::None)
    })
    .or_host(move |call| {
        let (axis, new, all) = sizes(call, axis)?;
        let (cache, update) = (call.array(0)?, call.array(1)?);
        let starts = call.optional_ints(2)?;
        let (inner, each) = (
            places::around(update.dims(), axis).2,
            update.numel() / update.dims().first().copied().unwrap_or(1).max(1),
        );
        let positions = (0..update.numel()).map(|place| {
            let start =
                starts.as_ref().and_then(|starts| starts.get(place / each.max(1))).copied().unwrap_or(0);
            let position = start + (place / inner.max(1) % new.max(1)) as i64;
            if circular { position.rem_euclid(all.max(1) as i64) } else { position }
        });
        let positions: Vec<i64> = positions.collect();
        let indices = Array::from_slice(&positions, update.shape().clone())?;
        to_places(&cache, &element_places(cache.dims(), &indices, axis)?, &update, Reduction::None)
    }))
}
