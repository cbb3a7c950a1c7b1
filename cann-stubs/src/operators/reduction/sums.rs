//! Sums, means, products, and whether all or some elements are true.

use aclnn_numerics::DType::{self, BF16, Bool, F16, F32};
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::signature::AlongAxes;
use cann_kernels::axis::reduce::Function;

use crate::mapped::try_mapped;
use crate::operators::axes::{
    Axes, Reduction, axes, axis, castable, converted, filled, in_order, invalid, named, no_kernel, on_cores,
    output_is, output_type, plain, reduced, shape_or_single,
};
use crate::operators::call::{Call, Operand, Plan, described};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn sum(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::sum;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dims")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    output_is(&out, call.dtype("dtype")?)?;
    check::rank(&own)?;
    let axes = axes(&own, dims)?;
    if own.shape()?.is_empty_tensor() {
        return zeros(&out, to, 0.0);
    }
    if own.rank() == 0 {
        return converted(&own, from, to, &out, to);
    }
    shape_or_single(&out, &reduced(&own, &axes, call.flag("keepDims")?)?)?;
    summed(signature, &own, from, to, &axes, &out)
}

/// The constant of an operand without elements; the library has none for complex numbers.
fn zeros(out: &Operand, to: DType, number: f64) -> Result<Plan> {
    if to.is_complex() {
        return invalid(format_args!("self has no elements, and no constant is written to {to} of out"));
    }
    filled(&[(out, to)], number)
}

/// The sum in type `to`; of truth values whether one is true.
fn summed(
    signature: &AlongAxes,
    own: &Operand,
    from: DType,
    to: DType,
    axes: &[usize],
    out: &Operand,
) -> Result<Plan> {
    let function = if to == Bool { Function::Greatest } else { Function::Sum };
    let cores = on_cores(signature, to);
    Reduction { own, from, through: to, axes, function, cores }.plan(&[plain(out, to, to)])
}

pub(super) fn nansum(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::nansum;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    output_is(&out, call.dtype("dtype")?)?;
    let axes = axes(&own, dims)?;
    check::rank(&own)?;
    check::rank(&out)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], 0.0);
    }
    shape_or_single(&out, &reduced(&own, &axes, call.flag("keepDim")?)?)?;
    if !from.is_float() {
        return summed(signature, &own, from, to, &axes, &out);
    }
    let (function, cores) = (Function::NanSum, on_cores(signature, to));
    Reduction { own: &own, from, through: to, axes: &axes, function, cores }.plan(&[plain(&out, to, to)])
}

pub(super) fn mean(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::mean;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let dtype = call.dtype("dtype")?;
    let list = check::types(signature.takes);
    let Some(through) = named(dtype).filter(|dtype| list.contains(*dtype)) else {
        return invalid(format_args!("dtype is {}, but the operator computes in {list}", described(dtype)));
    };
    castable(from, through)?;
    castable(through, to)?;
    averaged(signature, call, &own, from, through, axes(&own, dims)?, &out, to)
}

pub(super) fn mean_v2(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::mean_v2;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let axes = axes(&own, dims)?;
    if call.flag("noopWithEmptyAxes")? && dims.is_empty() && !own.shape()?.is_empty_tensor() {
        check::rank(&own)?;
        check::rank(&out)?;
        shape_or_single(&out, own.shape()?)?;
        return converted(&own, from, from, &out, to);
    }
    averaged(signature, call, &own, from, from, axes, &out, to)
}

#[allow(clippy::too_many_arguments, reason = "two operators share what follows their lists of types")]
fn averaged(
    signature: &AlongAxes,
    call: &Call<'_>,
    own: &Operand,
    from: DType,
    through: DType,
    axes: Axes,
    out: &Operand,
    to: DType,
) -> Result<Plan> {
    check::rank(own)?;
    check::rank(out)?;
    if own.shape()?.is_empty_tensor() {
        return zeros(out, to, f64::NAN);
    }
    shape_or_single(out, &reduced(own, &axes, call.flag("keepDim")?)?)?;
    let cores = on_cores(signature, through);
    // The AI cores of the 950 multiply; processors divide.
    let scales = cores && settings::get().product == Ascend950;
    let function = if scales { Function::ScaledMean } else { Function::Mean(through) };
    Reduction { own, from, through, axes: &axes, function, cores }.plan(&[plain(out, through, to)])
}

pub(super) fn prod(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::prod;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    output_is(&out, call.dtype("dtype")?)?;
    check::rank(&own)?;
    let (axes, keeps) = match call.has("dim") {
        true => (in_order(&own, Axes::from_iter([axis(&own, call.int("dim")?)?])), call.flag("keepDim")?),
        false => (axes(&own, &[])?, false),
    };
    let to = out.known_dtype().ok_or_else(|| no_kernel("no kernel writes the type of out"))?;
    if own.shape()?.is_empty_tensor() {
        return zeros(&out, to, 1.0);
    }
    shape_or_single(&out, &reduced(&own, &axes, keeps)?)?;
    if !check::types(signature.takes).contains(to) {
        return Err(no_kernel(format_args!("there is no kernel for {to}")));
    }
    let is_950 = settings::get().product == Ascend950;
    let (through, rounded, function) = match to {
        Bool if is_950 => (Bool, Bool, Function::Smallest),
        Bool => (F32, F32, Function::Product),
        // The product of halves is made by their own kernel there, and widened afterwards.
        F32 if is_950 && matches!(from, F16 | BF16) => (from, from, Function::Product),
        _ => (to, to, Function::Product),
    };
    let cores = on_cores(signature, through);
    Reduction { own: &own, from, through, axes: &axes, function, cores }.plan(&[plain(&out, rounded, to)])
}

pub(super) fn all(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::all;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let axes = axes(&own, dims)?;
    check::output_shape(&out, &reduced(&own, &axes, call.flag("keepdim")?)?)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], 1.0);
    }
    let (function, cores) = (Function::Smallest, on_cores(signature, from));
    Reduction { own: &own, from, through: Bool, axes: &axes, function, cores }.plan(&[plain(&out, Bool, to)])
}

pub(super) fn any(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::any;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    // An axis may be listed twice here.
    let axes = in_order(&own, try_mapped(dims, |dim| axis(&own, *dim))?);
    check::rank(&own)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], 0.0);
    }
    shape_or_single(&out, &reduced(&own, &axes, call.flag("keepdim")?)?)?;
    let (function, cores) = (Function::Greatest, on_cores(signature, from));
    Reduction { own: &own, from, through: Bool, axes: &axes, function, cores }.plan(&[plain(&out, Bool, to)])
}
