//! OneHot: one value at an index along a new axis, and another one elsewhere.

use aclnn::{DType, Shape, Tensor};

use crate::error::{NodeResult, Reason};
use crate::format::tensor;
use crate::graph::Node;
use crate::host::FEW;
use crate::host::places;
use crate::run::{Call, Prepared};

/// Returns the new axis, its size, and the shape of the result.
fn shape(call: &Call<'_>, axis: i64) -> NodeResult<(usize, i64, Shape)> {
    let depth = call.int(1)?;
    if depth < 1 {
        return Reason::text(format!("its depth is {depth}"));
    }
    if call.shape(2)?.numel() != Some(2) {
        return Reason::text("its values are not two");
    }
    let indices = call.shape(0)?;
    let axis = places::axis(axis, indices.rank() + 1)?;
    let mut sizes: Vec<i64> = indices.iter().map(|&size| size as i64).collect();
    sizes.insert(axis, depth);
    Ok((axis, depth, tensor::shape(&sizes)?))
}

/// With `negative`, indices below 0 count from the end.
pub(super) fn one_hot(node: &Node, negative: bool) -> NodeResult<Prepared> {
    let axis = node.int("axis", -1)?;
    Ok(Prepared::device(move |call| {
        let (axis, depth, shape) = shape(call, axis)?;
        if shape.is_empty_tensor() {
            return Ok(Tensor::empty(call.stream(), shape, call.dtype(2)?)?);
        }
        let indices = call.tensor(0)?.cast(DType::I64)?.unsqueeze(axis)?;
        let sizes: Shape =
            (0..shape.rank()).map(|own| if own == axis { depth as usize } else { 1 }).collect();
        let places = |start: i64| -> Result<Tensor, aclnn::Error> {
            Tensor::arange(call.stream(), start, start + depth, 1, DType::I64)?.reshape(&sizes)
        };
        let mut mask = indices.eq(&places(0)?)?;
        if negative {
            mask = mask.logical_or(&indices.eq(&places(-depth)?)?)?;
        }
        let values = call.tensor(2)?.reshape([2])?;
        call.widened([&values.select(0, 1)?, &values.select(0, 0)?], |[on, off]| mask.where_(on, off))
    })
    .or_host(move |call| {
        let (axis, depth, shape) = shape(call, axis)?;
        let values = call.array(2)?.reshape([2])?;
        if values.strings().is_none() && shape.numel().is_none_or(|count| count > FEW) {
            return Reason::missing("the result is large");
        }
        let indices = call.ints(0)?;
        let (_, size, after) = places::around(&shape, axis);
        let choices = (0..shape.numel().unwrap_or(0)).map(|place| {
            let (before, index, behind) =
                (place / (size * after), (place / after % size) as i64, place % after);
            let wanted = indices.get(before * after + behind).copied().unwrap_or(-1);
            usize::from(wanted == index || negative && wanted == index - depth)
        });
        Ok(values.take(choices.collect::<Vec<_>>().into_iter(), shape.clone())?)
    }))
}
