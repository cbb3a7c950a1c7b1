//! Shapes: read, and changed without moving elements.

use aclnn::{Shape, Tensor};

use super::operator::Operator;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::format::tensor;
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared, Values};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Shape", 1, shape),
    Operator::node("Size", 1, |_| {
        Ok(Prepared::device(|call| Ok(Array::scalar(call.shape(0)?.numel().unwrap_or(0) as i64))).of_shapes())
    }),
    Operator::node("Reshape", 5, reshape),
    Operator::node("Flatten", 1, flatten),
    Operator::node("Squeeze", 1, |node| {
        let axes = node.ints("axes")?.unwrap_or_default();
        reshaped(move |_, dims| squeezed(dims, &axes))
    }),
    Operator::node("Squeeze", 13, |_| {
        reshaped(|call, dims| squeezed(dims, &call.optional_ints(1)?.unwrap_or_default()))
    }),
    Operator::node("Unsqueeze", 1, |node| {
        let axes = node.ints("axes")?.unwrap_or_default();
        reshaped(move |_, dims| unsqueezed(dims, &axes))
    }),
    Operator::node("Unsqueeze", 13, |_| reshaped(|call, dims| unsqueezed(dims, &call.ints(1)?))),
];

/// Gives the elements in another shape, where they are.
fn reshaped(
    shape: impl Fn(&Call<'_>, &Shape) -> NodeResult<Shape> + Send + Sync + 'static,
) -> NodeResult<Prepared> {
    Ok(Prepared::device(move |call| {
        let shape = shape(call, call.shape(0)?)?;
        // What the host knows stays known.
        Ok(match call.value(0)?.known() {
            Some(array) => Values::from(array.reshape(shape)?),
            None => in_shape(&call.tensor(0)?, shape)?.into(),
        })
    }))
}

/// Returns a tensor in another shape: a view, or a copy where a view is not possible.
pub(super) fn in_shape(tensor: &Tensor, shape: Shape) -> NodeResult<Tensor> {
    match tensor.layout().reshape(shape.clone()) {
        Ok(_) => Ok(tensor.reshape(shape)?),
        Err(_) => Ok(tensor.contiguous()?.reshape(shape)?),
    }
}

fn shape(node: &Node) -> NodeResult<Prepared> {
    let start = node.int("start", 0)?;
    let end = node.attributes.int("end")?;
    Ok(Prepared::device(move |call| {
        let dims = call.shape(0)?;
        let rank = dims.rank() as i64;
        let place = |axis: i64| if axis < 0 { axis + rank } else { axis }.clamp(0, rank) as usize;
        let (start, end) = (place(start), end.map_or(dims.rank(), place));
        let dims = dims.get(start..end).unwrap_or_default();
        Ok(Array::line(dims.iter().map(|&size| size as i64)))
    })
    .of_shapes())
}

fn reshape(node: &Node) -> NodeResult<Prepared> {
    let allow_zero = node.flag("allowzero", false)?;
    reshaped(move |call, dims| {
        let wanted = call.ints(1)?;
        let mut sizes = Vec::with_capacity(wanted.len());
        for (axis, &size) in wanted.iter().enumerate() {
            sizes.push(match size {
                0 if !allow_zero => match dims.get(axis) {
                    Some(&size) => size as i64,
                    None => {
                        return Reason::text(format!(
                            "its shape {wanted:?} takes an axis that {dims:?} lacks"
                        ));
                    }
                },
                size => size,
            });
        }
        let others = sizes.iter().filter(|&&size| size != -1);
        let others = others.fold(1, |product: i64, &size| product.saturating_mul(size));
        let numel = dims.numel().unwrap_or(0) as i64;
        if let Some(open) = sizes.iter_mut().find(|size| **size == -1) {
            if others == 0 || numel % others != 0 {
                return Reason::text(format!("{numel} elements do not fill {wanted:?}"));
            }
            *open = numel / others;
        }
        Ok(tensor::shape(&sizes)?)
    })
}

fn flatten(node: &Node) -> NodeResult<Prepared> {
    let axis = node.int("axis", 1)?;
    reshaped(move |_, dims| {
        let rank = dims.len();
        let axis = if axis == rank as i64 { rank } else { places::axis(axis, rank)? };
        let (before, after) = dims.split_at_checked(axis).unwrap_or((dims, &[]));
        Ok(Shape::from([places::product(before), places::product(after)]))
    })
}

fn squeezed(dims: &[usize], axes: &[i64]) -> NodeResult<Shape> {
    let axes = places::axes(axes, dims.len())?;
    if let Some(axis) = axes.iter().find(|&&axis| dims.get(axis) != Some(&1)) {
        return Reason::text(format!("axis {axis} of {dims:?} has another size than 1"));
    }
    let kept = dims.iter().enumerate().filter(|(axis, size)| match axes.is_empty() {
        true => **size != 1,
        false => !axes.contains(axis),
    });
    Ok(kept.map(|(_, &size)| size).collect::<Vec<usize>>().into())
}

fn unsqueezed(dims: &[usize], axes: &[i64]) -> NodeResult<Shape> {
    let rank = dims.len() + axes.len();
    let axes = places::axes(axes, rank)?;
    let mut rest = dims.iter().copied();
    let sizes: Vec<usize> =
        (0..rank).map(|axis| if axes.contains(&axis) { 1 } else { rest.next().unwrap_or(1) }).collect();
    match rest.next() {
        None => Ok(sizes.into()),
        Some(_) => Reason::text(format!("its axes {axes:?} name one twice")),
    }
}
