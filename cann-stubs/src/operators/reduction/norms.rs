//! Norms, and logarithms of sums.

use aclnn_numerics::DType::{self, BF16, F16, F32};
use aclnn_numerics::product::Product::{Ascend310P, Ascend910, Ascend950};
use aclnn_numerics::signature::AlongAxes;
use cann_kernels::axis::reduce::Function;

use crate::meta::scalar::Scalar;
use crate::operators::axes::{
    Reduction, axes, converted, filled, invalid, no_kernel, on_cores, output_is, output_type, plain, reduced,
    shape_or_single,
};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn norm(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::norm;
    let (own, order) = (call.tensor("self")?, call.scalar("pScalar")?);
    let (dims, out) = (call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    normed(signature, &own, from, (order, dims, call.flag("keepdim")?), &out, to)
}

pub(super) fn vector_norm(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::vector_norm;
    let (own, order) = (call.tensor("self")?, call.scalar("ord")?);
    let (dims, out) = (call.ints("dims")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    output_is(&out, call.dtype("dtype")?)?;
    let to = output_type(signature, from, &out)?;
    if settings::get().product == Ascend950 && !is_native(from, to) {
        return invalid(format_args!("the norm of {from} is not computed in {to}"));
    }
    normed(signature, &own, from, (order, dims, call.flag("keepDims")?), &out, to)
}

/// Returns whether a kernel computes a norm of one type in the other.
fn is_native(from: DType, to: DType) -> bool {
    from == to && matches!(from, F32 | F16 | BF16) || to == F32 && matches!(from, F16 | BF16)
}

fn normed(
    signature: &AlongAxes,
    own: &Operand,
    from: DType,
    (order, dims, keeps): (&Scalar, &[i64], bool),
    out: &Operand,
    to: DType,
) -> Result<Plan> {
    check::promote(from, to)?;
    let axes = axes(own, dims)?;
    check::rank(own)?;
    check::rank(out)?;
    check::output_shape(out, &reduced(own, &axes, keeps)?)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(out, to)], 0.0);
    }
    let product = settings::get().product;
    if product == Ascend950 && !is_native(from, to) {
        return Err(no_kernel(format_args!("there is no kernel for the norm of {from} in {to}")));
    }
    let order =
        order.converted(F32).map(|bytes| f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let order = order.ok_or_else(|| no_kernel("the order is no number"))?;
    // Infinite orders are passed as the limits of i32 there.
    let order = match product {
        Ascend950 => order,
        _ if order == i32::MAX as f32 => f32::INFINITY,
        _ if order == i32::MIN as f32 => f32::NEG_INFINITY,
        _ => order,
    };
    // A single element there is its own norm, of every order but 0.
    let is_single =
        product == Ascend950 && axes.iter().all(|axis| own.shape().is_ok_and(|shape| shape[*axis] == 1));
    let order = if is_single && order != 0.0 { 1.0 } else { order };
    let through = if is_native(from, to) && !matches!(product, Ascend910 | Ascend310P) { from } else { F32 };
    let (function, cores) = (Function::Norm(order.into()), on_cores(signature, F32));
    Reduction { own, from, through, axes: &axes, function, cores }.plan(&[plain(out, F32, to)])
}

pub(super) fn logsumexp(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::logsumexp;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let axes = axes(&own, dims)?;
    check::rank(&own)?;
    check::output_shape(&out, &reduced(&own, &axes, call.flag("keepDim")?)?)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], f64::NEG_INFINITY);
    }
    let function = Function::LogSumExp(matches!(to, F16 | BF16));
    let cores = on_cores(signature, from);
    Reduction { own: &own, from, through: F32, axes: &axes, function, cores }.plan(&[plain(&out, F32, to)])
}

pub(super) fn log_sum(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::log_sum;
    let (own, dims, out) = (call.tensor("data")?, call.ints("axes")?, call.tensor("reduce")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    check::rank(&own)?;
    let axes = axes(&own, dims)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], 0.0);
    }
    let is_copy = dims.is_empty() && call.flag("noopWithEmptyAxes")?;
    if !is_copy {
        shape_or_single(&out, &reduced(&own, &axes, call.flag("keepDims")?)?)?;
    }
    // The result is copied last.
    if from != to {
        return Err(no_kernel(format_args!("reduce is {to}, and is not converted from {from} of data")));
    }
    if is_copy {
        return converted(&own, from, from, &out, to);
    }
    let (function, cores) = (Function::LogSum, on_cores(signature, from));
    Reduction { own: &own, from, through: from, axes: &axes, function, cores }.plan(&[plain(&out, from, to)])
}
