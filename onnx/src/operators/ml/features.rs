//! Features made of features: scaled, normalised, joined, chosen.

use aclnn::{DType, Shape, Tensor};

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::operators::movement::joined;
use crate::run::{Call, Prepared};
use crate::value::Value;

/// Returns input 0 as f32.
fn floats(call: &Call<'_>) -> NodeResult<Tensor> {
    Ok(call.tensor(0)?.cast(DType::F32)?)
}

/// Returns the numbers of an attribute along the last axis.
fn line(numbers: Option<&[f32]>) -> NodeResult<Option<Value>> {
    let line = numbers.filter(|numbers| !numbers.is_empty());
    Ok(line.map(|numbers| Array::from_slice(numbers, [numbers.len()])).transpose()?.map(Value::from))
}

pub(super) fn scaler(node: &Node) -> NodeResult<Prepared> {
    let offset = line(node.attributes.floats("offset")?)?;
    let scale = line(node.attributes.floats("scale")?)?;
    Ok(Prepared::device(move |call| {
        let mut scaled = floats(call)?;
        if let Some(offset) = &offset {
            scaled = scaled.sub(&call.on_device(offset)?)?;
        }
        if let Some(scale) = &scale {
            scaled = scaled.mul(&call.on_device(scale)?)?;
        }
        match scaled.shape() == call.shape(0)? {
            true => Ok(scaled),
            false => Reason::text(format!("its features have the shape {:?}", &call.shape(0)?[..])),
        }
    }))
}

pub(super) fn normalizer(node: &Node) -> NodeResult<Prepared> {
    let norm = node.text("norm", "MAX")?;
    if !["MAX", "L1", "L2"].contains(&norm.as_str()) {
        return Reason::text(format!("its norm is `{norm}`"));
    }
    Ok(Prepared::device(move |call| {
        let rows = floats(call)?;
        if rows.numel() == 0 {
            return Ok(rows);
        }
        let norms = match norm.as_str() {
            "MAX" => rows.max(-1)?,
            "L1" => rows.abs()?.sum(-1)?,
            _ => rows.mul(&rows)?.sum(-1)?.sqrt()?,
        };
        let norms = norms.unsqueeze(-1)?;
        Ok(rows.div(&norms.masked_fill(&norms.eq(0)?, 1)?)?)
    }))
}

pub(super) fn binarizer(node: &Node) -> NodeResult<Prepared> {
    let threshold = node.float("threshold", 0.0)?;
    Ok(Prepared::device(move |call| {
        let tensor = call.tensor(0)?;
        let above = match tensor.dtype().is_integer() {
            // The greatest integer that is not above.
            true => tensor.gt(threshold.floor() as i64)?,
            false => tensor.gt(f64::from(threshold))?,
        };
        Ok(above.cast(tensor.dtype())?)
    }))
}

pub(super) fn imputer(node: &Node) -> NodeResult<Prepared> {
    let numbers = line(node.attributes.floats("imputed_value_floats")?)?;
    let integers = node.ints("imputed_value_int64s")?.filter(|numbers| !numbers.is_empty());
    let replaced = node.float("replaced_value_float", 0.0)?;
    let replaced_integer = node.int("replaced_value_int64", 0)?;
    let new: Value = match (numbers, integers) {
        (Some(numbers), None) => numbers,
        (None, Some(integers)) => Array::line(integers).into(),
        _ => return Reason::text("it needs values that are floats, or values that are integers"),
    };
    Ok(Prepared::device(move |call| {
        let tensor = call.tensor(0)?;
        let new = call.on_device(&new)?.cast(tensor.dtype())?;
        let mask = match tensor.dtype().is_integer() {
            true => tensor.eq(replaced_integer)?,
            false if replaced.is_nan() => tensor.is_nan()?,
            false => tensor.eq(f64::from(replaced))?,
        };
        Ok(mask.where_(&new, &tensor)?)
    }))
}

pub(super) fn vectorizer(node: &Node) -> NodeResult<Prepared> {
    let widths = node.ints("inputdimensions")?;
    Ok(Prepared::device(move |call| {
        let mut parts = Vec::with_capacity(call.count());
        for input in 0..call.count() {
            let tensor = call.tensor(input)?.cast(DType::F32)?;
            let tensor = if tensor.rank() == 1 { tensor.unsqueeze(0)? } else { tensor };
            let &[_, own] = tensor.dims() else {
                return Reason::text(format!("its input {input} has the shape {:?}", tensor.dims()));
            };
            let width = widths.as_ref().and_then(|widths| widths.get(input));
            let width = width.and_then(|&width| usize::try_from(width).ok()).unwrap_or(own);
            parts.push(match width {
                width if width <= own => tensor.slice(1, 0..width)?,
                width => tensor.pad(&[(0, width - own)], aclnn::ops::PadMode::constant(0))?,
            });
        }
        joined(call, &parts, 1)
    }))
}

pub(super) fn extract(_: &Node) -> NodeResult<Prepared> {
    let shape = |call: &Call<'_>| -> NodeResult<Shape> {
        let (own, count) = (call.shape(0)?, call.shape(1)?.numel().unwrap_or(0));
        Ok(match own.split_last() {
            None => return Reason::text("its features have no axes"),
            Some((_, [])) => [1, count].into(),
            Some((_, rest)) => rest.iter().copied().chain([count]).collect(),
        })
    };
    Ok(Prepared::device(move |call| {
        let (tensor, indices) = (call.tensor(0)?, call.tensor(1)?);
        let indices = indices.contiguous()?.reshape([indices.numel()])?;
        let taken = call.widened([&tensor], |[x]| x.take_axis(-1, &indices))?;
        Ok(taken.reshape(shape(call)?)?)
    })
    .or_host(move |call| {
        let (array, indices) = (call.array(0)?, call.array(1)?);
        let taken = places::gather(&array, &indices.reshape([indices.numel()])?, -1)?;
        Ok(taken.reshape(shape(call)?)?)
    }))
}
