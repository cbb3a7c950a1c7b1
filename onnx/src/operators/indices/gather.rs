//! GatherElements and GatherND.

use aclnn::Tensor;

use super::coordinates::{Coordinates, element_places, for_elements};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::operators::shapes::in_shape;
use crate::run::Prepared;

pub(super) fn elements(node: &Node) -> NodeResult<Prepared> {
    let axis = node.int("axis", 0)?;
    Ok(Prepared::device(move |call| {
        let tensor = call.tensor(0)?;
        let axis = places::axis(axis, tensor.rank())?;
        let indices = for_elements(call, 1, tensor.dims().get(axis).copied().unwrap_or(0))?;
        if indices.numel() == 0 {
            return Ok(Tensor::empty(call.stream(), indices.shape(), tensor.dtype())?);
        }
        call.widened([&tensor], |[x]| x.gather(axis, &indices))
    })
    .or_host(move |call| {
        let (array, indices) = (call.array(0)?, call.array(1)?);
        let places = element_places(array.dims(), &indices, places::axis(axis, array.rank())?)?;
        Ok(array.take(places.into_iter(), indices.shape().clone())?)
    }))
}

pub(super) fn slices(node: &Node) -> NodeResult<Prepared> {
    let batches = node.int("batch_dims", 0)?;
    let Ok(batches) = usize::try_from(batches) else {
        return Reason::text(format!("its `batch_dims` is {batches}"));
    };
    Ok(Prepared::device(move |call| {
        let tensor = call.tensor(0)?;
        let coordinates = Coordinates::new(tensor.dims(), call.shape(1)?, batches)?;
        let result = coordinates.result();
        if result.is_empty_tensor() {
            return Ok(Tensor::empty(call.stream(), result, tensor.dtype())?);
        }
        if batches == 0 {
            match tensor.gather_nd(&call.tensor(1)?) {
                Ok(result) => return Ok(result),
                Err(aclnn::Error::Unsupported { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let rows = in_shape(&tensor, [coordinates.rows(), coordinates.inner()].into())?;
        let numbers = coordinates.numbers(call, 1)?;
        let taken = call.widened([&rows], |[x]| x.take_axis(0, &numbers))?;
        in_shape(&taken, result)
    })
    .or_host(move |call| {
        let (array, indices) = (call.array(0)?, call.array(1)?);
        let coordinates = Coordinates::new(array.dims(), indices.dims(), batches)?;
        Ok(array.take(coordinates.places(&indices)?.into_iter(), coordinates.result())?)
    }))
}
