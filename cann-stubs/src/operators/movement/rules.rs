//! The checks that operators which move elements have in common.

use std::fmt::Display;

use aclnn_numerics::DType;
use aclnn_numerics::layout::{Layout, LayoutError, Shape};
use aclnn_numerics::signature::{Movement, Output};
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID};
use smallvec::SmallVec;

use crate::operators::axes::axis_in;
use crate::operators::call::{Operand, described};
use crate::operators::check;
use crate::status::{Result, Status};

/// Refuses an argument.
pub(super) fn refuse<T>(message: impl Display) -> Result<T> {
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}

/// The type of an operand. The output's must be one that the operator gives for it.
#[inline(never)]
pub(super) fn dtype(own: &Operand, output: &Operand, signature: &Movement) -> Result<DType> {
    let dtype = check::dtype(own, signature.takes)?;
    output_dtype(output, dtype, signature)?;
    Ok(dtype)
}

/// The type of the output, to which elements of type `moved` are written.
#[inline(never)]
pub(super) fn output_dtype(output: &Operand, moved: DType, signature: &Movement) -> Result<DType> {
    match signature.output {
        Output::Any(list) => check::dtype(output, list),
        Output::Cast(_) => check::any_dtype(output),
        Output::CastableTo(list) => {
            check::dtype(output, list).and_then(|_| check::output_dtype(output, moved))
        }
        _ if output.known_dtype() == Some(moved) => Ok(moved),
        _ => {
            let out = described(output.raw_dtype());
            refuse(format_args!("{} is {out}, but must be {moved} as the elements are", output.name))
        }
    }
}

/// Axes that are named once each. Of a tensor without axes, −1 and 0 are none.
pub(super) fn axes(name: &str, axes: &[i64], rank: usize) -> Result<SmallVec<[usize; 8]>> {
    let mut counted: SmallVec<[usize; 8]> = SmallVec::new();
    for &number in axes {
        let axis = axis_in(name, number, rank.max(1))?;
        if counted.contains(&axis) {
            return refuse(format_args!("{name} is {axes:?}, which names axis {axis} twice"));
        }
        counted.push(axis);
    }
    counted.retain(|axis| *axis < rank);
    Ok(counted)
}

/// The layout of an output that is written as `shape`: its own, or any of one element if the result has one.
pub(super) fn output_like(output: &Operand, shape: &Shape) -> Result<Layout> {
    seen_as(output, shape)?
        .map_or_else(|| check::output_shape(output, shape).and_then(|()| output.layout()), Ok)
}

/// The same where CANN finds another shape only when it writes the result.
pub(super) fn written_like(output: &Operand, dtype: DType, shape: &Shape) -> Result<Layout> {
    if output.known_dtype() != Some(dtype) {
        let out = described(output.raw_dtype());
        let message = format!("the result is {dtype}, but {} is {out}", output.name);
        return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
    }
    seen_as(output, shape)?.ok_or_else(|| {
        let own = output.shape().map_or_else(|_| "a negative size".to_owned(), Shape::to_string);
        let message = format!("the result has shape {shape}, but {} has {own}", output.name);
        Status::new(ACLNN_ERR_INNER_NULLPTR, message)
    })
}

fn seen_as(output: &Operand, shape: &Shape) -> Result<Option<Layout>> {
    let own = output.shape()?;
    if own == shape {
        return output.layout().map(Some);
    }
    if own.numel() != Some(1) || shape.numel() != Some(1) {
        return Ok(None);
    }
    let strides: SmallVec<[isize; 8]> = SmallVec::from_elem(1, shape.rank());
    layout(Layout::new(shape, &strides, output.layout()?.offset())).map(Some)
}

/// A view whose indices were checked before.
pub(super) fn layout(made: std::result::Result<Layout, LayoutError>) -> Result<Layout> {
    made.map_err(|why| Status::new(ACLNN_ERR_INNER_NULLPTR, why))
}

/// The view that repeats the only index of an axis.
pub(super) fn repeated(view: Layout, axis: usize, count: usize) -> Result<Layout> {
    let shape: Shape = view
        .shape()
        .iter()
        .enumerate()
        .map(|(index, size)| if index == axis { count } else { *size })
        .collect();
    layout(view.broadcast_to(shape))
}

/// A shape with one size replaced.
pub(super) fn resized(shape: &Shape, axis: usize, size: usize) -> Shape {
    shape.iter().enumerate().map(|(index, own)| if index == axis { size } else { *own }).collect()
}
