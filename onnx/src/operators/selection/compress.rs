//! NonZero and Compress: where elements are not zero, and what lies where a condition is true.

use aclnn::DType;

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::elements::is_whole;
use crate::host::places;
use crate::operators::shapes::in_shape;
use crate::run::Prepared;

/// Returns which elements are not zero; of strings, which are not empty.
fn truths(array: &Array) -> NodeResult<Vec<bool>> {
    if let Some(strings) = array.strings() {
        return Ok(strings.iter().map(|text| !text.is_empty()).collect());
    }
    if is_whole(array) {
        return Ok(array.to_i64s()?.into_iter().map(|number| number != 0).collect());
    }
    if array.dtype().is_complex() {
        let part = if array.dtype() == DType::C64 { DType::F32 } else { DType::F64 };
        let parts = Array::new(part, [2 * array.numel()], array.bytes().to_vec())?.to_f64s()?;
        return Ok(parts.chunks(2).map(|parts| parts.iter().any(|&part| part != 0.0)).collect());
    }
    Ok(array.to_f64s()?.into_iter().map(|number| number != 0.0).collect())
}

/// Returns the places of what is true.
fn true_places(truths: &[bool]) -> Vec<usize> {
    truths.iter().enumerate().filter(|(_, is)| **is).map(|(place, _)| place).collect()
}

pub(super) fn non_zero(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let tensor = call.tensor(0)?;
        let rank = tensor.rank();
        call.note(|notes| notes.waits += 1);
        let tensor = if rank == 0 { tensor.reshape([1])? } else { tensor };
        let found = call.widened([&tensor], |[x]| x.nonzero())?;
        // An element without axes has no coordinates.
        Ok(found.transpose(0, 1)?.slice(0, 0..rank)?.contiguous()?)
    })
    .or_host(|call| {
        let array = call.array(0)?;
        let found = true_places(&truths(&array)?);
        let indices: Vec<Vec<usize>> =
            found.iter().map(|&place| places::indices_of(place, array.dims())).collect();
        let rows = (0..array.rank()).flat_map(|axis| indices.iter().filter_map(move |index| index.get(axis)));
        Ok(Array::line(rows.map(|&index| index as i64)).reshape([array.rank(), found.len()])?)
    }))
}

pub(super) fn compress(node: &Node) -> NodeResult<Prepared> {
    let axis = node.attributes.int("axis")?;
    Ok(Prepared::device(move |call| {
        let tensor = call.tensor(0)?;
        let (tensor, axis) = match axis {
            Some(axis) => (tensor.clone(), places::axis(axis, tensor.rank())?),
            None => (in_shape(&tensor, [tensor.numel()].into())?, 0),
        };
        let size = tensor.dims().get(axis).copied().unwrap_or(0);
        let indices = match call.value(1)?.known() {
            Some(condition) => {
                call.note(|notes| notes.looks.add(None));
                let found = true_places(&truths(condition)?);
                call.upload(&Array::line(
                    found.into_iter().filter(|&index| index < size).map(|index| index as i64),
                ))?
            }
            None => {
                call.note(|notes| notes.waits += 1);
                let condition = call.tensor(1)?;
                if condition.rank() != 1 {
                    return Reason::text("its condition has other axes than one");
                }
                let condition = condition.slice(0, 0..size.min(condition.numel()))?;
                let found = condition.nonzero()?;
                found.reshape([found.numel()])?
            }
        };
        call.widened([&tensor], |[x]| x.take_axis(axis, &indices))
    })
    .or_host(move |call| {
        let (array, condition) = (call.array(0)?, call.array(1)?);
        if condition.dtype() != DType::Bool {
            return Reason::text(format!("its condition is {condition:?}"));
        }
        let (array, axis) = match axis {
            Some(axis) => (array, axis),
            None => (array.reshape([array.numel()])?, 0),
        };
        let size = array.dims().get(places::axis(axis, array.rank())?).copied().unwrap_or(0);
        let found = true_places(&truths(&condition)?);
        let indices = Array::line(found.into_iter().filter(|&index| index < size).map(|index| index as i64));
        places::gather(&array, &indices, axis)
    }))
}
