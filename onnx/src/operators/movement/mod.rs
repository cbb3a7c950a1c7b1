//! Elements in other places: transposed, sliced, joined, gathered.

mod blocks;
mod order;
mod pad;
mod repeat;
mod slice;
mod split;

pub(super) use split::parts;

use aclnn::{Layout, Tensor, ops};

use super::operator::Operator;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Transpose", 1, transpose),
    Operator::node("Concat", 4, concat),
    Operator::node("Gather", 1, gather),
    Operator::node("Slice", 1, slice::by_attributes),
    Operator::node("Slice", 10, slice::by_inputs),
    Operator::node("Split", 2, split::by_attributes),
    Operator::node("Split", 13, split::by_input),
    Operator::node("Split", 18, split::by_number),
    Operator::node("Expand", 8, repeat::expand),
    Operator::node("Tile", 6, repeat::tile),
    Operator::node("Pad", 2, pad::by_attributes),
    Operator::node("Pad", 11, pad::by_inputs),
    Operator::node("CenterCropPad", 18, pad::center_crop_pad),
    Operator::node("DepthToSpace", 1, blocks::depth_to_space),
    Operator::node("SpaceToDepth", 1, blocks::space_to_depth),
    Operator::node("ReverseSequence", 10, order::reverse_sequence),
    Operator::node("Trilu", 14, order::trilu),
];

fn transpose(node: &Node) -> NodeResult<Prepared> {
    let order = node.ints("perm")?;
    let axes = move |rank: usize| -> NodeResult<Vec<usize>> {
        match &order {
            Some(order) => places::axes(order, rank),
            None => Ok((0..rank).rev().collect()),
        }
    };
    let on_host = axes.clone();
    Ok(Prepared::device(move |call| {
        let tensor = call.tensor(0)?;
        Ok(tensor.permute(&axes(tensor.rank())?)?)
    })
    .or_host(move |call| {
        let array = call.array(0)?;
        let layout: Layout =
            array.layout().permute(&on_host(array.rank())?).map_err(|error| error.to_string())?;
        Ok(array.view(&layout)?)
    }))
}

fn concat(node: &Node) -> NodeResult<Prepared> {
    let axis = node.required_int("axis")?;
    Ok(Prepared::device(move |call| {
        let tensors = call.tensors()?;
        joined(call, &tensors, axis)
    })
    .or_host(move |call| {
        let arrays: Vec<_> = (0..call.count()).map(|input| call.array(input)).collect::<NodeResult<_>>()?;
        places::concat(&arrays, axis)
    })
    .of_whole_bytes())
}

/// Joins tensors of one type along an axis.
pub(super) fn joined(call: &Call<'_>, tensors: &[Tensor], axis: i64) -> NodeResult<Tensor> {
    let Some(first) = tensors.first() else { return Reason::text("there are no tensors to join") };
    if let [only] = tensors {
        places::axis(axis, only.rank())?;
        return Ok(only.clone());
    }
    if let Some(other) = tensors.iter().find(|tensor| tensor.dtype() != first.dtype()) {
        return Reason::text(format!("{} and {} are not joined", first.dtype(), other.dtype()));
    }
    let refused = match ops::cat(&tensors.iter().collect::<Vec<_>>(), axis).run() {
        Err(error @ aclnn::Error::Unsupported { .. }) => error,
        result => return Ok(result?),
    };
    // The cast is the same for all of them.
    let Some(wide) = call.wider_than(&refused) else { return Err(refused.into()) };
    let cast: Vec<Tensor> = tensors.iter().map(|tensor| tensor.cast(wide)).collect::<Result<_, _>>()?;
    Ok(ops::cat(&cast.iter().collect::<Vec<_>>(), axis).run()?.cast(first.dtype())?)
}

fn gather(node: &Node) -> NodeResult<Prepared> {
    let axis = node.int("axis", 0)?;
    Ok(Prepared::device(move |call| {
        let tensor = call.tensor(0)?;
        if tensor.rank() == 0 {
            return Reason::text("it gathers from a tensor without axes");
        }
        if let Some(indices) = call.value(1)?.known()
            && let Some(view) = run_of(&tensor, indices, axis)?
        {
            return Ok(view);
        }
        let indices = call.tensor(1)?;
        call.widened([&tensor], |[x]| x.take_axis(axis, &indices))
    })
    .or_host(move |call| places::gather(&call.array(0)?, &call.array(1)?, axis)))
}

/// Checks indices. Returns a view, if they follow each other with equal steps.
fn run_of(tensor: &Tensor, indices: &Array, axis: i64) -> NodeResult<Option<Tensor>> {
    let axis = places::axis(axis, tensor.rank())?;
    let size = tensor.dims().get(axis).copied().unwrap_or(0);
    let numbers = indices.to_i64s()?;
    let numbers: Vec<usize> =
        numbers.iter().map(|&number| places::index(number, size)).collect::<NodeResult<_>>()?;
    let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else { return Ok(None) };
    match indices.rank() {
        0 => return Ok(Some(tensor.select(axis, first)?)),
        1 => {}
        _ => return Ok(None),
    }
    let step = match numbers.get(1).map(|second| second.checked_sub(first)) {
        None => 1,
        Some(Some(step @ 1..)) => step,
        Some(_) => return Ok(None),
    };
    let even =
        numbers.iter().zip(numbers.iter().skip(1)).all(|(&one, &next)| one.checked_add(step) == Some(next));
    Ok(if even { Some(tensor.slice_step(axis, first..last + 1, step)?) } else { None })
}
