//! Reductions: elements along axes become one.

use aclnn_numerics::DType::{self, BF16, Bool, F16, F32, I32, I64};
use aclnn_numerics::product::Product::{Ascend310P, Ascend910, Ascend950};
use aclnn_numerics::signature::AlongAxes;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_NULLPTR};

use super::axes::{
    Axes, Reduced, Reduction, axes, axis, castable, converted, filled, in_order, invalid, named, output_is,
    output_type, reduced, shape_or_single,
};
use super::call::{Call, Operand, Plan};
use super::phases::entry_points;
use super::{check, declared};
use crate::kernels::reduce::{Function, Spread};
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::reduction_operators!(entry_points);

/// Whether AI cores compute a type.
fn on_cores(signature: &AlongAxes, dtype: DType) -> bool {
    check::types(signature.cores).contains(dtype)
}

/// A result in the type in which it is computed.
fn plain<'a>(output: &'a Operand, through: DType, dtype: DType) -> Reduced<'a> {
    Reduced { output, part: 0, through, dtype }
}

fn no_kernel(message: impl std::fmt::Display) -> Status {
    Status::new(ACLNN_ERR_INNER_NULLPTR, message)
}

fn sum(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::sum;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dims")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    output_is(&out, call.dtype("dtype")?)?;
    check::rank(&own)?;
    let axes = axes(&own, &dims)?;
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

fn nansum(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::nansum;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    output_is(&out, call.dtype("dtype")?)?;
    let axes = axes(&own, &dims)?;
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

fn mean(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::mean;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let dtype = call.dtype("dtype")?;
    let list = check::types(signature.takes);
    let Some(through) = named(dtype).filter(|dtype| list.contains(*dtype)) else {
        return invalid(format_args!(
            "dtype is {}, but the operator computes in {list}",
            super::call::described(dtype)
        ));
    };
    castable(from, through)?;
    castable(through, to)?;
    averaged(signature, call, &own, from, through, axes(&own, &dims)?, &out, to)
}

fn mean_v2(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::mean_v2;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let axes = axes(&own, &dims)?;
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
    let (function, cores) = (Function::Mean(through), on_cores(signature, through));
    Reduction { own, from, through, axes: &axes, function, cores }.plan(&[plain(out, through, to)])
}

fn max(call: &Call<'_>) -> Result<Plan> {
    extreme_of_all(call, &declared::max, Function::Greatest)
}

fn min(call: &Call<'_>) -> Result<Plan> {
    extreme_of_all(call, &declared::min, Function::Smallest)
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

fn amax(call: &Call<'_>) -> Result<Plan> {
    extreme(call, &declared::amax, Function::Greatest)
}

fn amin(call: &Call<'_>) -> Result<Plan> {
    extreme(call, &declared::amin, Function::Smallest)
}

fn extreme(call: &Call<'_>, signature: &AlongAxes, function: Function) -> Result<Plan> {
    let is_v2 = call.has("dims");
    let (dims, keeps) = if is_v2 { ("dims", "keepDims") } else { ("dim", "keepDim") };
    let (own, dims, out) = (call.tensor("self")?, call.ints(dims)?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    output_type(signature, from, &out)?;
    let axes = axes(&own, &dims)?;
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

fn aminmax(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::aminmax;
    let own = call.tensor("self")?;
    let is_dim = call.info.name == "AminmaxDim";
    let dims = match call.has("dim") && !is_dim {
        true => Some(call.ints("dim")?),
        false => None,
    };
    let outs = [call.tensor("minOut")?, call.tensor("maxOut")?];
    let from = check::dtype(&own, signature.takes)?;
    outs.iter().try_for_each(|out| output_type(signature, from, out).map(drop))?;
    check::rank(&own)?;
    outs.iter().try_for_each(check::rank)?;
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
    let axes = match dims.as_deref().map(Vec::as_slice) {
        None if is_dim => in_order(&own, one_axis(call.int("dim")?)?),
        None => axes(&own, &[])?,
        Some([dim]) => in_order(&own, one_axis(*dim)?),
        Some(dims) => {
            if shape.is_empty_tensor() {
                return invalid("self has no elements");
            }
            // Neither the range of several axes nor whether they differ is checked before the shape is inferred.
            let all = dims.iter().map(|dim| axis(&own, *dim)).collect::<Result<Axes>>();
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
        outs.iter().try_for_each(|out| shape_or_single(out, &result))?;
    }
    let [least, most] = [0, 1].map(|part| Reduced { output: &outs[part], part, through: from, dtype: from });
    let (function, cores) = (Function::Extremes, on_cores(signature, from));
    Reduction { own: &own, from, through: from, axes: &axes, function, cores }.plan(&[least, most])
}

fn argmax(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::argmax;
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

fn argmin(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::argmin;
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

fn max_dim(call: &Call<'_>) -> Result<Plan> {
    first_extreme(call, &declared::max_dim, Function::FirstGreatest)
}

fn min_dim(call: &Call<'_>) -> Result<Plan> {
    first_extreme(call, &declared::min_dim, Function::FirstSmallest)
}

fn first_extreme(call: &Call<'_>, signature: &AlongAxes, function: Function) -> Result<Plan> {
    let (own, out, indices) = (call.tensor("self")?, call.tensor("out")?, call.tensor("indices")?);
    let from = check::dtype(&own, signature.takes)?;
    output_type(signature, from, &out)?;
    [&own, &out, &indices].into_iter().try_for_each(check::rank)?;
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
    Reduction { own: &own, from, through, axes: &axes, function, cores }.plan(&outputs)
}

fn prod(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::prod;
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

fn all(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::all;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let axes = axes(&own, &dims)?;
    check::output_shape(&out, &reduced(&own, &axes, call.flag("keepdim")?)?)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], 1.0);
    }
    let (function, cores) = (Function::Smallest, on_cores(signature, from));
    Reduction { own: &own, from, through: Bool, axes: &axes, function, cores }.plan(&[plain(&out, Bool, to)])
}

fn any(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::any;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    // An axis may be listed twice here.
    let axes = in_order(&own, dims.iter().map(|dim| axis(&own, *dim)).collect::<Result<Axes>>()?);
    check::rank(&own)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], 0.0);
    }
    shape_or_single(&out, &reduced(&own, &axes, call.flag("keepdim")?)?)?;
    let (function, cores) = (Function::Greatest, on_cores(signature, from));
    Reduction { own: &own, from, through: Bool, axes: &axes, function, cores }.plan(&[plain(&out, Bool, to)])
}

fn var(call: &Call<'_>) -> Result<Plan> {
    let correction = match call.has("unbiased") {
        true => i64::from(call.flag("unbiased")?),
        false => call.int("correction")?,
    };
    let out = [call.tensor("out")?];
    moments(call, &declared::var, Moments { correction, is_root: false, is_free: false }, &out)
}

fn var_mean(call: &Call<'_>) -> Result<Plan> {
    let outs = [call.tensor("varOut")?, call.tensor("meanOut")?];
    let correction = call.int("correction")?;
    moments(call, &declared::var_mean, Moments { correction, is_root: false, is_free: false }, &outs)
}

fn std(call: &Call<'_>) -> Result<Plan> {
    let out = [call.tensor("out")?];
    let correction = call.int("correction")?;
    moments(call, &declared::std, Moments { correction, is_root: true, is_free: true }, &out)
}

fn std_mean(call: &Call<'_>) -> Result<Plan> {
    let outs = [call.tensor("stdOut")?, call.tensor("meanOut")?];
    let correction = call.int("correction")?;
    moments(call, &declared::std_mean, Moments { correction, is_root: true, is_free: true }, &outs)
}

/// How variances and standard deviations differ.
struct Moments {
    correction: i64,
    is_root: bool,
    /// Whether shapes of outputs are not tested where all axes are reduced.
    is_free: bool,
}

fn moments(call: &Call<'_>, signature: &AlongAxes, kind: Moments, outs: &[Operand]) -> Result<Plan> {
    let own = call.tensor("self")?;
    let dims = call.optional("dim", Call::ints)?;
    let dims = dims.as_deref().map_or(&[][..], Vec::as_slice);
    let product = settings::get().product;
    let from = check::dtype(&own, signature.takes)?;
    let mut types = Vec::new();
    for out in outs {
        let to = output_type(signature, from, out)?;
        if kind.is_root && outs.len() > 1 && product != Ascend950 && to != from {
            return invalid(format_args!("{} is {to}, but must be {from}", out.name));
        }
        types.push(to);
    }
    let axes = axes(&own, dims)?;
    check::rank(&own)?;
    if kind.is_free {
        outs.iter().try_for_each(check::rank)?;
    }
    let shape = reduced(&own, &axes, call.flag("keepdim")?)?;
    if kind.is_free && dims.is_empty() {
        for out in outs {
            // The library does not look; a kernel writes one element.
            shape_or_single(out, &shape).map_err(|status| status.with_code(ACLNN_ERR_INNER_NULLPTR))?;
        }
    } else {
        outs.iter().try_for_each(|out| check::output_shape(out, &shape))?;
    }
    if own.shape()?.is_empty_tensor() {
        let outs: Vec<_> = outs.iter().zip(types).collect();
        return filled(&outs, f64::NAN);
    }
    let rounded: fn(f64) -> f64 = match from {
        _ if product == Ascend950 => |mean| mean,
        F16 => |mean| aclnn_numerics::f16::from_f64(mean).to_f64(),
        BF16 => |mean| aclnn_numerics::bf16::from_f64(mean).to_f64(),
        _ => |mean| f64::from(mean as f32),
    };
    let scales = product == Ascend950 && outs.len() > 1;
    let spread = Spread { correction: kind.correction, is_root: kind.is_root, rounded, scales };
    let outputs: Vec<_> = outs
        .iter()
        .zip(types)
        .enumerate()
        .map(|(part, (output, dtype))| Reduced { output, part, through: from, dtype })
        .collect();
    let (function, cores) = (Function::Moments(spread), on_cores(signature, from));
    Reduction { own: &own, from, through: from, axes: &axes, function, cores }.plan(&outputs)
}

fn norm(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::norm;
    let (own, order) = (call.tensor("self")?, call.scalar("pScalar")?);
    let (dims, out) = (call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    normed(signature, &own, from, (&order, &dims, call.flag("keepdim")?), &out, to)
}

fn vector_norm(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::vector_norm;
    let (own, order) = (call.tensor("self")?, call.scalar("ord")?);
    let (dims, out) = (call.ints("dims")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    output_is(&out, call.dtype("dtype")?)?;
    let to = output_type(signature, from, &out)?;
    if settings::get().product == Ascend950 && !is_native(from, to) {
        return invalid(format_args!("the norm of {from} is not computed in {to}"));
    }
    normed(signature, &own, from, (&order, &dims, call.flag("keepDims")?), &out, to)
}

/// Whether a kernel computes a norm of one type in the other.
fn is_native(from: DType, to: DType) -> bool {
    from == to && matches!(from, F32 | F16 | BF16) || to == F32 && matches!(from, F16 | BF16)
}

fn normed(
    signature: &AlongAxes,
    own: &Operand,
    from: DType,
    (order, dims, keeps): (&crate::meta::scalar::Scalar, &[i64], bool),
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
    let through = if is_native(from, to) && !matches!(product, Ascend910 | Ascend310P) { from } else { F32 };
    let (function, cores) = (Function::Norm(order.into()), on_cores(signature, F32));
    Reduction { own, from, through, axes: &axes, function, cores }.plan(&[plain(out, F32, to)])
}

fn logsumexp(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::logsumexp;
    let (own, dims, out) = (call.tensor("self")?, call.ints("dim")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let axes = axes(&own, &dims)?;
    check::rank(&own)?;
    check::output_shape(&out, &reduced(&own, &axes, call.flag("keepDim")?)?)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], f64::NEG_INFINITY);
    }
    let (function, cores) = (Function::LogSumExp, on_cores(signature, from));
    Reduction { own: &own, from, through: F32, axes: &axes, function, cores }.plan(&[plain(&out, F32, to)])
}

fn log_sum(call: &Call<'_>) -> Result<Plan> {
    let signature = &declared::log_sum;
    let (own, dims, out) = (call.tensor("data")?, call.ints("axes")?, call.tensor("reduce")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    check::rank(&own)?;
    let axes = axes(&own, &dims)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], 0.0);
    }
    let different = || no_kernel(format_args!("reduce is {to}, and is not converted from {from} of data"));
    if from != to {
        return Err(different());
    }
    if dims.is_empty() && call.flag("noopWithEmptyAxes")? {
        check::output_shape(&out, own.shape()?)
            .map_err(|status| status.with_code(ACLNN_ERR_INNER_NULLPTR))?;
        return converted(&own, from, from, &out, to);
    }
    shape_or_single(&out, &reduced(&own, &axes, call.flag("keepDims")?)?)?;
    let (function, cores) = (Function::LogSum, on_cores(signature, from));
    Reduction { own: &own, from, through: from, axes: &axes, function, cores }.plan(&[plain(&out, from, to)])
}
