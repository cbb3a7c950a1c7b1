//! Functions of all elements along an axis, with a result for each of them.

use aclnn_numerics::DType::{self, Bool, F16, F32, I32, I64};
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::signature::AlongAxes;
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;
use cann_kernels::axis::scan::{Direction, Function, compute_type};
use cann_kernels::axis::softmax::{self, Gradient};
use cann_kernels::{Lane, LaneBody, size_of_dtype};
use smallvec::SmallVec;

use super::axes::{axis, invalid, named, output_is, output_type, tasks, temporaries};
use super::call::{Call, Operand, Plan};
use super::conversions::through;
use super::phases::entry_points;
use super::plan_builder::{PlanBuilder, innermost};
use super::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::scan_operators!(entry_points);

fn cumsum(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::cumsum;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let from = known(&own)?;
    output_is(&out, call.dtype("dtype")?)?;
    let to = output_type(signature, from, &out)?;
    summed(signature, call, (&own, from), (&out, to), Direction::default())
}

fn cumsum_v2(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::cumsum_v2;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let direction = Direction { is_exclusive: call.flag("exclusive")?, is_reverse: call.flag("reverse")? };
    summed(signature, call, (&own, from), (&out, to), direction)
}

fn summed(
    signature: &AlongAxes,
    call: &Call<'_>,
    own: (&Operand, DType),
    out: (&Operand, DType),
    direction: Direction,
) -> Result<Plan> {
    check::output_shape(out.0, own.0.shape()?)?;
    check::rank(own.0)?;
    let axis = axis(own.0, call.int("dim")?)?;
    if own.0.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    scanned(signature, own, out.1, axis, Function::Sum(direction), &[(out.0, out.1, out.1)])
}

fn cumprod(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::cumprod;
    let own = call.tensor("input")?;
    let dim = call.scalar("dim")?;
    // The library reads a null output; a refusal is the kinder end.
    let out = call.tensor(if call.has("out") { "out" } else { "input" })?;
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    if !matches!(dim.dtype, I32 | I64) {
        return invalid(format_args!("dim is a scalar of {}, but must be i32 or i64", dim.dtype));
    }
    let value =
        dim.converted(I32).map_or(0, |bytes| i32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let axis = axis(&own, value.into())?;
    check::output_shape(&out, own.shape()?)?;
    if call.has("dtype") {
        let dtype = call.dtype("dtype")?;
        // The library returns success without an executor where these differ.
        if dtype.0 != -1 && named(dtype) != Some(to) {
            output_is(&out, dtype)?;
        }
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    scanned(signature, (&own, from), to, axis, Function::Product, &[(&out, to, to)])
}

fn cummax(call: &Call<'_>) -> Result<Plan> {
    extreme(call, &signatures::cummax, true)
}

fn cummin(call: &Call<'_>) -> Result<Plan> {
    extreme(call, &signatures::cummin, false)
}

fn extreme(call: &Call<'_>, signature: &AlongAxes, is_greatest: bool) -> Result<Plan> {
    let own = call.tensor("self")?;
    let (values, indices) = (call.tensor("valuesOut")?, call.tensor("indicesOut")?);
    if is_greatest && own.rank() == 0 {
        return invalid("self has no axis");
    }
    let axis = axis(&own, call.int("dim")?)?;
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &values)?;
    let Some(positions @ (I32 | I64)) = indices.known_dtype() else {
        return invalid(format_args!("{} must be i32 or i64", indices.name));
    };
    check::output_shape(&values, own.shape()?)?;
    check::output_shape(&indices, own.shape()?)?;
    check::rank(&own)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let is_950 = settings::get().product == Ascend950;
    let through = match from {
        Bool | DType::I8 | DType::U8 if is_950 && !is_greatest => F16,
        _ if is_950 && !is_greatest && to != from => {
            let message = format!("valuesOut is {to}, and is not converted from {from} of self");
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        _ => from,
    };
    // The kernel compares a number with a NaN as if it were better there.
    let forgets = is_950 && !is_greatest && from.is_float() && from != DType::F64;
    let outputs = [(&values, through, to), (&indices, I64, positions)];
    scanned(signature, (&own, from), through, axis, Function::Extreme { is_greatest, forgets }, &outputs)
}

fn softmax(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::softmax;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let axis = axis(&own, call.int("dim")?)?;
    check::rank(&own)?;
    check::output_shape(&out, own.shape()?)?;
    along_lanes(
        signature,
        (&own, from),
        from,
        axis,
        |compute| softmax::Softmax::new(compute, false),
        &[(&out, from, to)],
    )
}

fn log_softmax(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::log_softmax;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let axis = axis(&own, call.int("dim")?)?;
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    check::rank(&own)?;
    check::output_shape(&out, own.shape()?)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    along_lanes(
        signature,
        (&own, from),
        to,
        axis,
        |compute| softmax::Softmax::new(compute, true),
        &[(&out, to, to)],
    )
}

fn softmax_backward(call: &Call<'_>) -> Result<Plan> {
    softmax_gradient(call, &signatures::softmax_backward, false)
}

fn log_softmax_backward(call: &Call<'_>) -> Result<Plan> {
    softmax_gradient(call, &signatures::log_softmax_backward, true)
}

fn softmax_gradient(call: &Call<'_>, signature: &AlongAxes, is_logarithm: bool) -> Result<Plan> {
    let (grad, result, out) = (call.tensor("gradOutput")?, call.tensor("output")?, call.tensor("out")?);
    let is_empty = grad.shape()?.is_empty_tensor() || result.shape()?.is_empty_tensor();
    if is_empty && settings::get().product != Ascend950 {
        return Ok(Plan::empty());
    }
    let from = check::dtype(&grad, signature.takes)?;
    if check::dtype(&result, signature.takes)? != from {
        return invalid("gradOutput and output must have one type");
    }
    let to = check::any_dtype(&out)?;
    let axis = axis(&grad, call.int("dim")?)?;
    check::rank(&grad)?;
    check::output_shape(&result, grad.shape()?)?;
    check::output_shape(&out, grad.shape()?)?;
    if is_empty {
        return Ok(Plan::empty());
    }
    let lanes = Lanes::along(&grad, axis)?;
    let body = Gradient::new(is_logarithm, from, from == to);
    let seen = if body.takes_halves() { from } else { F32 };
    let mut builder = PlanBuilder::new();
    let mut inputs = Vec::new();
    for operand in [&grad, &result] {
        let view = operand.permuted(from, &lanes.order)?;
        inputs.push((builder.read(operand, view, true), lanes.of(&[from, seen], seen)?));
    }
    let place = builder.write(&out, to, out.permuted(to, &lanes.order)?, from == to)?;
    let written = [(place, lanes.of(&[seen, from, to], seen)?)];
    builder.lanes(inputs, written, lanes.count, body);
    let operands = [(&grad, from, from), (&result, from, from), (&out, to, from)];
    let on_cores = check::types(signature.cores).contains(from);
    Ok(builder.plan(temporaries(&operands)).by(tasks(on_cores, &[(from, to)])))
}

/// The lanes of an operand along an axis.
struct Lanes {
    /// The axes in the order in which lanes are counted.
    order: SmallVec<[usize; 8]>,
    len: usize,
    count: usize,
}

impl Lanes {
    fn along(own: &Operand, axis: usize) -> Result<Self> {
        let along: &[usize] = if own.rank() == 0 { &[] } else { &[axis] };
        let shape = own.shape()?;
        let len = along.first().map_or(1, |axis| shape[*axis]);
        Ok(Self { order: innermost(own.rank(), along), len, count: shape.numel().unwrap_or(0) / len.max(1) })
    }

    fn of(&self, dtypes: &[DType], seen: DType) -> Result<Lane> {
        Ok(Lane { len: self.len, conversions: through(dtypes)?, size: size_of_dtype(seen) })
    }
}

/// Any of CANN's types.
fn known(own: &Operand) -> Result<DType> {
    let dtype = own.known_dtype().filter(|dtype| !matches!(dtype, DType::String | DType::I4 | DType::U1));
    match dtype {
        Some(dtype) => Ok(dtype),
        None => invalid(format_args!("{} has a type that no operator computes", own.name)),
    }
}

/// A plan of lanes along an axis. The operand is computed in type `through`; each output is rounded to its first type and
/// converted to its second one.
fn scanned(
    signature: &AlongAxes,
    (own, from): (&Operand, DType),
    through: DType,
    axis: usize,
    function: Function,
    outputs: &[(&Operand, DType, DType)],
) -> Result<Plan> {
    let body = |compute| function.body(compute);
    along_lanes(signature, (own, from), through, axis, body, outputs)
}

/// The same for any body, which `body` makes for a compute type.
fn along_lanes<B: LaneBody + 'static>(
    signature: &AlongAxes,
    (own, from): (&Operand, DType),
    through: DType,
    axis: usize,
    body: impl FnOnce(DType) -> Option<B>,
    outputs: &[(&Operand, DType, DType)],
) -> Result<Plan> {
    let lanes = Lanes::along(own, axis)?;
    let compute = compute_type(through);
    let no_kernel = || {
        let message = format!("there is no kernel for {through}");
        Status::new(ACLNN_ERR_INNER_NULLPTR, message)
    };
    let body = body(compute).ok_or_else(no_kernel)?;
    let mut builder = PlanBuilder::new();
    let input = builder.read(own, own.permuted(from, &lanes.order)?, from == through);
    let mut written = Vec::new();
    for (number, (output, rounded, to)) in outputs.iter().enumerate() {
        let place = builder.write(output, *to, output.permuted(*to, &lanes.order)?, rounded == to)?;
        // Positions are computed in i64, whatever the elements are.
        let made = if number == 0 { compute } else { *rounded };
        written.push((place, lanes.of(&[made, *rounded, *to], made)?));
    }
    builder.lanes([(input, lanes.of(&[from, through, compute], compute)?)], written, lanes.count, body);
    let mut operands = vec![(own, from, through)];
    operands.extend(outputs.iter().map(|(output, rounded, to)| (*output, *to, *rounded)));
    let mut casts = vec![(from, through)];
    casts.extend(outputs.iter().map(|(_, rounded, to)| (*rounded, *to)));
    let on_cores = check::types(signature.cores).contains(through);
    Ok(builder.plan(temporaries(&operands)).by(tasks(on_cores, &casts)))
}
