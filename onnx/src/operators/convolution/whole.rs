//! Convolutions of integers of eight bits.

use aclnn::{DType, Tensor};

use super::plain::{convolved, groups};
use super::windows::{Moves, image};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::operators::quantisation::{exact_terms, less_zero_point, requantised, scale_along};
use crate::run::{NodeCache, Prepared};

pub(super) fn conv_integer(node: &Node) -> NodeResult<Prepared> {
    let (moves, groups) = (Moves::of(node)?, groups(node)?);
    let weight = NodeCache::default();
    Ok(Prepared::device(move |call| {
        let x = less_zero_point(&call.tensor(0)?, call.optional_tensor(2)?.as_ref(), None)?;
        let weight = weight.of(call, &[1, 3], || {
            less_zero_point(&call.tensor(1)?, call.optional_tensor(3)?.as_ref(), Some(0))
        })?;
        sums(&x, &weight, &moves, groups)
    }))
}

pub(super) fn qlinear_conv(node: &Node) -> NodeResult<Prepared> {
    let (moves, groups) = (Moves::of(node)?, groups(node)?);
    let (weight, scale) = (NodeCache::default(), NodeCache::default());
    Ok(Prepared::device(move |call| {
        let x = less_zero_point(&call.tensor(0)?, Some(&call.tensor(2)?), None)?;
        let weight = weight
            .of(call, &[3, 5], || less_zero_point(&call.tensor(3)?, Some(&call.tensor(5)?), Some(0)))?;
        let mut y = sums(&x, &weight, &moves, groups)?;
        if let Some(bias) = call.optional_tensor(8)? {
            let shape: Vec<usize> = bias.dims().iter().copied().chain(vec![1; y.rank() - 2]).collect();
            y = y.add(&bias.reshape(shape)?)?;
        }
        let scale = scale.of(call, &[1, 4, 6], || {
            let scale = call.tensor(1)?.mul(&call.tensor(4)?)?.div(&call.tensor(6)?)?;
            scale_along(&scale, 1, y.rank())
        })?;
        requantised(&y, &scale, &call.tensor(7)?)
    }))
}

/// Returns the sums of products of small integers that are held as f32, as i32.
///
/// The channels are convolved in parts, so that f32 holds every sum exactly.
fn sums(x: &Tensor, weight: &Tensor, moves: &Moves, groups: usize) -> NodeResult<Tensor> {
    let (&[batches, channels, ..], &[made, each, ..]) = (x.dims(), weight.dims()) else {
        return Reason::text("images and weights have axes for batches and channels");
    };
    let window: usize = image(weight.dims())?.iter().product();
    let at_once = (exact_terms() / window.max(1)).max(1);
    if window > exact_terms() {
        return Reason::missing(format!("its windows have {window} elements"));
    }
    if each <= at_once {
        return Ok(convolved(x, weight, None, moves, groups)?.cast(DType::I32)?);
    }
    if each.checked_mul(groups) != Some(channels) {
        return Reason::text(format!("{channels} channels do not suit {each} in each of {groups} groups"));
    }
    let sizes = image(x.dims())?.to_vec();
    let grouped = x.contiguous()?.reshape([&[batches, groups, each], &sizes[..]].concat())?;
    let mut sum: Option<Tensor> = None;
    for first in (0..each).step_by(at_once) {
        let count = at_once.min(each - first);
        let x = grouped.narrow(2, first, count)?.contiguous()?;
        let x = x.reshape([&[batches, groups * count], &sizes[..]].concat())?;
        let weight = weight.narrow(1, first, count)?.contiguous()?;
        let part = convolved(&x, &weight, None, moves, groups)?.cast(DType::I32)?;
        sum = Some(match sum {
            Some(sum) => sum.add(&part)?,
            None => part,
        });
    }
    match sum {
        Some(sum) => Ok(sum),
        None => Reason::text(format!("its weight has no channels for {made} results")),
    }
}
