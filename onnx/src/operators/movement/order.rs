//! Elements in another order, or replaced by zeros: ReverseSequence, Trilu.

use aclnn::{DType, Shape, Tensor};

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared};

/// Returns the axes of batches and of time.
fn axes(call: &Call<'_>, batch: i64, time: i64) -> NodeResult<(usize, usize)> {
    let dims = call.shape(0)?;
    let (batch, time) = (places::axis(batch, dims.rank())?, places::axis(time, dims.rank())?);
    if batch == time {
        return Reason::text("its axes of batches and of time are the same");
    }
    let (lengths, size) = (call.shape(1)?, dims.get(batch).copied());
    match lengths.rank() == 1 && lengths.first().copied() == size {
        true => Ok((batch, time)),
        false => Reason::text(format!("lengths of shape {:?} are given for {:?}", &lengths[..], &dims[..])),
    }
}

pub(super) fn reverse_sequence(node: &Node) -> NodeResult<Prepared> {
    let (batch, time) = (node.int("batch_axis", 1)?, node.int("time_axis", 0)?);
    Ok(Prepared::device(move |call| {
        let (batch, time) = axes(call, batch, time)?;
        let (tensor, lengths) = (call.tensor(0)?, call.tensor(1)?);
        if tensor.numel() == 0 {
            return Ok(tensor);
        }
        let along = |axis: usize| -> Shape {
            let sizes = tensor.dims().iter().enumerate();
            sizes.map(|(own, &size)| if own == axis { size } else { 1 }).collect()
        };
        let steps = tensor.dims().get(time).copied().unwrap_or(0);
        let places = Tensor::arange(call.stream(), 0, steps, 1, DType::I64)?.reshape(along(time))?;
        let lengths = lengths.reshape(along(batch))?;
        let turned = lengths.sub(1)?.sub(&places)?;
        let indices = places.lt(&lengths)?.where_(&turned, &places)?.broadcast_to(tensor.shape())?;
        call.widened([&tensor], |[x]| x.gather(time, &indices))
    })
    .or_host(move |call| {
        let (batch, time) = axes(call, batch, time)?;
        let (array, lengths) = (call.array(0)?, call.ints(1)?);
        let steps = array.dims().get(time).copied().unwrap_or(0) as i64;
        if let Some(length) = lengths.iter().find(|length| !(0..=steps).contains(*length)) {
            return Reason::text(format!("a sequence of {steps} steps has no length {length}"));
        }
        let (.., stride) = places::around(array.dims(), time);
        let from = (0..array.numel()).map(|place| {
            let indices = places::indices_of(place, array.dims());
            let at = |axis: usize| indices.get(axis).copied().unwrap_or(0);
            let length = lengths.get(at(batch)).copied().unwrap_or(0);
            match usize::try_from(length).ok().and_then(|length| length.checked_sub(1 + at(time))) {
                Some(turned) => place - at(time) * stride + turned * stride,
                None => place,
            }
        });
        Ok(array.take(from, array.shape().clone())?)
    }))
}

pub(super) fn trilu(node: &Node) -> NodeResult<Prepared> {
    let upper = node.flag("upper", true)?;
    let diagonal = |call: &Call<'_>| -> NodeResult<i64> {
        if call.shape(0)?.rank() < 2 {
            return Reason::text("its input is no matrix");
        }
        let number = if call.has(1) { call.int(1)? } else { 0 };
        Ok(number.clamp(-(i32::MAX as i64), i32::MAX as i64))
    };
    Ok(Prepared::device(move |call| {
        let diagonal = diagonal(call)?;
        call.widened([&call.tensor(0)?], |[x]| if upper { x.triu(diagonal) } else { x.tril(diagonal) })
    })
    .or_host(move |call| {
        let (array, diagonal) = (call.array(0)?, diagonal(call)?);
        let &[.., rows, columns] = array.dims() else { return Reason::text("its input is no matrix") };
        let numel = array.numel();
        let from = (0..numel).map(|place| {
            let (row, column) =
                ((place / columns.max(1) % rows.max(1)) as i64, (place % columns.max(1)) as i64);
            let kept = if upper { column - row >= diagonal } else { column - row <= diagonal };
            if kept { place } else { numel }
        });
        let zero = Array::new(array.dtype(), [1], vec![0; array.dtype().storage_bytes(1).unwrap_or(0)])?;
        let all = Array::joined(&[array.reshape([numel])?, zero])?;
        Ok(all.take(from, array.shape().clone())?)
    }))
}
