//! The greatest and the smallest elements, and their positions.

use aclnn_numerics::DType::{self, F32, I32, I64};
use aclnn_numerics::product::Product::{Ascend310P, Ascend950};
use aclnn_numerics::signature::AlongAxes;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_NULLPTR};
use cann_kernels::axis::reduce::Function;

use crate::mapped::try_mapped;
use crate::operators::axes::{
    Axes, Reduced, Reduction, axes, axis, converted, filled, in_order, invalid, no_kernel, on_cores,
    output_type, plain, reduced, shape_or_single,
};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

pub(super) fn max(call: &Call<'_>) -> Result<Plan> {
    extreme_of_all(call, &signatures::max, Function::Greatest)
}

pub(super) fn min(call: &Call<'_>) -> Result<Plan> {
    extreme_of_all(call, &signatures::min, Function::Smallest)
}

fn extreme_of_all(call: &Call<'_>, signature: &AlongAxes, function: Function) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    check::rank(&own)?;
    check::rank(&out)?;
    if own.shape()?.is_empty_tensor() || out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let axes = axes(&own, &[])?;
    shape_or_single(&out, &reduced(&own, &axes, false)?)?;
    let cores = on_cores(signature, from);
    Reduction { own: &own, from, through: from, axes: &axes, function, cores }.plan(&[plain(&out, from, to)])
}

pub(super) fn amax(call: &Call<'_>) -> Result<Plan> {
    extreme(call, &signatures::amax, Function::Greatest)
}

pub(super) fn amin(call: &Call<'_>) -> Result<Plan> {
    extreme(call, &signatures::amin, Function::Smallest)
}

fn extreme(call: &Call<'_>, signature: &AlongAxes, function: Function) -> Result<Plan> {
    let is_v2 = call.has("dims");
    let (dims, keeps) = if is_v2 { ("dims", "keepDims") } else { ("dim", "keepDim") };
    let (own, dims, out) = (call.tensor("self")?, call.ints(dims)?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    output_type(signature, from, &out)?;
    let axes = axes(&own, dims)?;
    let shape = own.shape()?;
    if let (1.., false, Some(axis)) =
        (own.rank(), dims.is_empty(), axes.iter().find(|axis| shape[**axis] == 0))
    {
        return invalid(format_args!("axis {axis} of self has no elements, so there is none to choose"));
    }
    check::rank(&own)?;
    let is_copy = is_v2 && (own.rank() == 0 || dims.is_empty() && call.flag("noopWithEmptyDims")?);
    let result = if is_copy { shape.clone() } else { reduced(&own, &axes, call.flag(keeps)?)? };
    check::output_shape(&out, &result)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if is_copy || own.rank() == 0 {
        return converted(&own, from, from, &out, from);
    }
    let cores = on_cores(signature, from);
    Reduction { own: &own, from, through: from, axes: &axes, function, cores }
        .plan(&[plain(&out, from, from)])
}

pub(super) fn aminmax(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::aminmax;
    let own = call.tensor("self")?;
    let is_dim = call.info.name() == "AminmaxDim";
    let dims = match call.has("dim") && !is_dim {
        true => Some(call.ints("dim")?),
        false => None,
    };
    let outs = [call.tensor("minOut")?, call.tensor("maxOut")?];
    let from = check::dtype(&own, signature.takes)?;
    check::each(&outs, |out| output_type(signature, from, out))?;
    check::rank(&own)?;
    check::ranks(&outs)?;
    let shape = own.shape()?;
    let one_axis = |dim: i64| -> Result<Axes> {
        let axis = axis(&own, dim)?;
        // The size is looked up by the number as it was passed; a tensor without axes has none there.
        let size = usize::try_from(dim).ok().map(|dim| shape.get(dim).copied().unwrap_or(0));
        match size {
            Some(0) if own.rank() > 0 || is_dim => {
                invalid(format_args!("axis {dim} of self has no elements, so there is none to choose"))
            }
            _ => Ok(Axes::from_iter([axis])),
        }
    };
    let axes = match dims {
        None if is_dim => in_order(&own, one_axis(call.int("dim")?)?),
        None => axes(&own, &[])?,
        Some([dim]) => in_order(&own, one_axis(*dim)?),
        Some(dims) => {
            if shape.is_empty_tensor() {
                return invalid("self has no elements");
            }
            // Neither the range of several axes nor whether they differ is checked before the shape is inferred.
            let all: Result<Axes> = try_mapped(dims, |dim| axis(&own, *dim));
            let all = all.map_err(|status| status.with_code(ACLNN_ERR_PARAM_NULLPTR))?;
            if all.is_empty() { all } else { in_order(&own, all) }
        }
    };
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let keeps = call.has("keepDim") && call.flag("keepDim")?;
    if own.rank() > 0 {
        let result = if axes.is_empty() { shape.clone() } else { reduced(&own, &axes, keeps)? };
        check::each(&outs, |out| shape_or_single(out, &result))?;
    }
    let extreme = |part| Reduced { output: &outs[part], part, through: from, dtype: from };
    let (function, cores) = (Function::Extremes, on_cores(signature, from));
    Reduction { own: &own, from, through: from, axes: &axes, function, cores }.plan(&[extreme(0), extreme(1)])
}

pub(super) fn argmax(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::argmax;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    check::rank(&own)?;
    check::rank(&out)?;
    let axis = axis(&own, call.int("dim")?)?;
    if own.shape()?.is_empty_tensor() || out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let dtype = out.known_dtype().ok_or_else(|| no_kernel("no kernel writes the type of out"))?;
    if settings::get().product == Ascend950 && !matches!(dtype, I32 | I64) {
        return Err(no_kernel(format_args!("there is no kernel with out in {dtype}; use i32 or i64")));
    }
    positioned(signature, call, &own, from, axis, Function::FirstGreatest, &out, dtype)
}

pub(super) fn argmin(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::argmin;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let axis = axis(&own, call.int("dim")?)?;
    let from = check::dtype(&own, signature.takes)?;
    let dtype = output_type(signature, from, &out)?;
    check::rank(&own)?;
    check::rank(&out)?;
    if own.shape()?.get(axis) == Some(&0) {
        return invalid(format_args!("axis {axis} of self has no elements, so there is none to choose"));
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if own.rank() == 0 {
        return filled(&[(&out, dtype)], 0.0);
    }
    positioned(signature, call, &own, from, axis, Function::FirstSmallest, &out, dtype)
}

#[allow(clippy::too_many_arguments, reason = "two operators that check in different orders")]
fn positioned(
    signature: &AlongAxes,
    call: &Call<'_>,
    own: &Operand,
    from: DType,
    axis: usize,
    function: Function,
    out: &Operand,
    dtype: DType,
) -> Result<Plan> {
    let axes = in_order(own, Axes::from_iter([axis]));
    shape_or_single(out, &reduced(own, &axes, call.flag("keepdim")?)?)?;
    let to = Reduced { output: out, part: 1, through: I64, dtype };
    let cores = on_cores(signature, from);
    Reduction { own, from, through: from, axes: &axes, function, cores }.plan(&[to])
}

pub(super) fn max_dim(call: &Call<'_>) -> Result<Plan> {
    first_extreme(call, &signatures::max_dim, Function::FirstGreatest)
}

pub(super) fn min_dim(call: &Call<'_>) -> Result<Plan> {
    first_extreme(call, &signatures::min_dim, Function::FirstSmallest)
}

/// These operators answer what fails inside them with the code of null.
fn inner(status: Status) -> Status {
    match status.code {
        ACLNN_ERR_INNER_NULLPTR => status.with_code(ACLNN_ERR_PARAM_NULLPTR),
        _ => status,
    }
}

fn first_extreme(call: &Call<'_>, signature: &AlongAxes, function: Function) -> Result<Plan> {
    let (own, out, indices) = (call.tensor("self")?, call.tensor("out")?, call.tensor("indices")?);
    let from = check::dtype(&own, signature.takes)?;
    output_type(signature, from, &out)?;
    check::ranks(&[&own, &out, &indices])?;
    let axis = axis(&own, call.int("dim")?)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let axes = in_order(&own, Axes::from_iter([axis]));
    let shape = reduced(&own, &axes, call.flag("keepdim")?)?;
    shape_or_single(&out, &shape)?;
    shape_or_single(&indices, &shape)?;
    let failed = |message| Status::new(ACLNN_ERR_PARAM_NULLPTR, message);
    let dtype =
        indices.known_dtype().ok_or_else(|| failed("no kernel writes the type of indices".to_owned()))?;
    if settings::get().product == Ascend950 && !matches!(dtype, I32 | I64) {
        return Err(failed(format!("there is no kernel with indices in {dtype}; use i32 or i64")));
    }
    // i64 is computed in f32 there.
    let is_rounded = settings::get().product == Ascend310P && from == I64;
    let through = if is_rounded { F32 } else { from };
    let outputs = [
        Reduced { output: &out, part: 0, through, dtype: from },
        Reduced { output: &indices, part: 1, through: I64, dtype },
    ];
    let cores = on_cores(signature, from);
    Reduction { own: &own, from, through, axes: &axes, function, cores }.plan(&outputs).map_err(inner)
}
