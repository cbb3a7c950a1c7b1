//! ScatterND: slices written to coordinates, or combined with what is there.

use aclnn::Tensor;

use super::coordinates::Coordinates;
use super::scatter::{NO_REDUCTION, Reduction, along, to_places};
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::operators::shapes::in_shape;
use crate::run::{Call, Prepared, Values};

pub(super) fn slices(node: &Node) -> NodeResult<Prepared> {
    let reduction = Reduction::of(node)?;
    let on_host = move |call: &Call<'_>| -> NodeResult<Array> {
        let (array, indices, updates) = (call.array(0)?, call.array(1)?, call.array(2)?);
        let coordinates = coordinates(call)?;
        to_places(&array, &coordinates.places(&indices)?, &updates, reduction)
    };
    Ok(Prepared::device(move |call| {
        if reduction.lacks(call) {
            call.note_host(NO_REDUCTION);
            return Ok(Values::from(on_host(call)?));
        }
        on_device(call, reduction).map(Values::from)
    })
    .or_host(on_host))
}

fn coordinates(call: &Call<'_>) -> NodeResult<Coordinates> {
    let coordinates = Coordinates::new(call.shape(0)?, call.shape(1)?, 0)?;
    let updates = call.shape(2)?;
    match coordinates.result() == *updates {
        true => Ok(coordinates),
        false => Reason::text(format!(
            "its updates have the shape {:?}, not {:?}",
            &updates[..],
            &coordinates.result()[..]
        )),
    }
}

fn on_device(call: &Call<'_>, reduction: Reduction) -> NodeResult<Tensor> {
    let coordinates = coordinates(call)?;
    let (tensor, updates) = (call.tensor(0)?, call.tensor(2)?);
    if updates.numel() == 0 {
        return Ok(tensor);
    }
    if reduction == Reduction::None {
        match tensor.scatter_nd(&coordinates.counted(call, 1)?, &updates) {
            Err(aclnn::Error::Unsupported { .. }) => {}
            result => return Ok(result?),
        }
    }
    let (rows, inner) = (coordinates.rows(), coordinates.inner());
    let count = updates.numel() / inner.max(1);
    let numbers = in_shape(&coordinates.numbers(call, 1)?, [count].into())?;
    let table = in_shape(&tensor, [rows, inner].into())?;
    let slices = in_shape(&updates, [count, inner].into())?;
    let written = match reduction {
        Reduction::None => {
            call.widened([&table, &slices], |[x, slices]| x.index_copy(0, &numbers, slices))?
        }
        Reduction::Add => call.widened([&table, &slices], |[x, slices]| x.index_add(0, &numbers, slices))?,
        _ => {
            let numbers = in_shape(&numbers, [count, 1].into())?.broadcast_to([count, inner])?;
            along(call, (&table, &numbers, &slices), 0, reduction)?
        }
    };
    in_shape(&written, tensor.shape().clone())
}
