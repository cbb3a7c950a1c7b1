//! Products of vectors in space, and the sum of a diagonal.

use aclnn_numerics::DType::{self, Bool, C128, F64, I64};
use aclnn_numerics::layout::Shape;
use cann_kernels::products::linalg;
use smallvec::SmallVec;

use super::matrices::{Seen, kernel_type, planned};
use crate::mapped::mapped;
use crate::operators::axes::{axis_in, filled, invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::{PlanBuilder, innermost};
use crate::operators::{check, signatures};
use crate::status::Result;

/// The type in which elements are added and multiplied.
fn compute_type(dtype: DType) -> DType {
    match dtype {
        _ if dtype.is_complex() => C128,
        _ if dtype.is_float() => F64,
        _ => I64,
    }
}

pub(super) fn cross(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::cross;
    let (own, other, out) = (call.tensor("self")?, call.tensor("other")?, call.tensor("out")?);
    let dtype = check::dtype(&own, signature.takes)?;
    for operand in [&other, &out] {
        output_of(signature.output, dtype, dtype, operand)?;
    }
    let shape = check::broadcast_shape(&own, &other)?;
    check::output_shape(&out, &shape)?;
    let dim = call.int("dim")?;
    let axis = axis_in("dim", dim, own.rank())?;
    // An axis that is counted from the front is one of self, which has fewer axes if other has more.
    let axis = shape.rank() - own.rank() + axis;
    if shape[axis] != 3 {
        return invalid(format_args!(
            "axis {dim} has {} elements, but vectors in space have three",
            shape[axis]
        ));
    }
    let count = shape.numel().unwrap_or(0) / 3;
    if count == 0 {
        return Ok(Plan::empty());
    }
    let order = innermost(shape.rank(), &[axis]);
    let seen = |operand| along(operand, dtype, &shape, &order);
    let (inputs, outputs) = (vec![seen(&own)?, seen(&other)?], vec![seen(&out)?]);
    let compute = compute_type(dtype);
    planned(PlanBuilder::new(), inputs, outputs, (count, compute), true, linalg::cross(compute))
}

/// Lanes of three elements of an operand that broadcasts to a shape, whose axes are seen in an order.
fn along<'a>(operand: &'a Operand, dtype: DType, shape: &Shape, order: &[usize]) -> Result<Seen<'a>> {
    let (own, strides) = (operand.shape()?, operand.strides());
    let missing = shape.rank() - own.rank();
    let stride = |axis: &usize| match axis.checked_sub(missing) {
        Some(axis) if own[axis] != 1 => strides[axis],
        _ => 0,
    };
    let sizes: SmallVec<[usize; 8]> = mapped(order, |axis| shape[*axis]);
    let strides: SmallVec<[isize; 8]> = mapped(order, stride);
    let view = operand.view_of(dtype, &sizes, &strides, operand.offset())?;
    Ok(Seen::through(operand, dtype, view, 3))
}

pub(super) fn trace(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::trace;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let dtype = check::dtype(&own, signature.takes)?;
    let result = if dtype.is_integer() || dtype == Bool { I64 } else { dtype };
    let to = output_of(signature.output, dtype, result, &out)?;
    if own.rank() != 2 {
        return invalid(format_args!("self has {} axes, but must have two", own.rank()));
    }
    check::output_shape(&out, &Shape::scalar())?;
    let (shape, strides) = (own.shape()?, own.strides());
    let len = shape[0].min(shape[1]);
    if len == 0 {
        return filled(&[(&out, to)], 0.0);
    }
    let diagonal = own.view_of(dtype, &[len], &[strides[0] + strides[1]], own.offset())?;
    let inputs = vec![Seen::through(&own, dtype, diagonal, len)];
    let outputs = vec![Seen::whole(&out, to, kernel_type(result), 1)?];
    let compute = compute_type(dtype);
    planned(PlanBuilder::new(), inputs, outputs, (1, compute), true, linalg::sum(compute))
}
