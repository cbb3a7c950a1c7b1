//! Derivatives by tensors whose elements were repeated: those of all places where an element was shown are added.
//!
//! CANN does not describe which types these operators take and what they check. It is what PyTorch does on a CPU, with the
//! checks of the operators that they belong to.

use aclnn_numerics::DType::F64;
use aclnn_numerics::signature::Movement;
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use cann_kernels::allocation;
use cann_kernels::indexing::movement::sums_at;

use super::lanes::{Lanes, plan};
use super::pad::{Border, Padded};
use super::rules::{dtype, refuse, resized};
use crate::operators::axes::{Axes, axis_in};
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

pub(super) fn reflection_pad_backward(call: &Call<'_>) -> Result<Plan> {
    border(call, &signatures::reflection_pad_backward, Border::Reflection)
}

pub(super) fn replication_pad_backward(call: &Call<'_>) -> Result<Plan> {
    border(call, &signatures::replication_pad_backward, Border::Replication)
}

pub(super) fn circular_pad_backward(call: &Call<'_>) -> Result<Plan> {
    border(call, &signatures::circular_pad_backward, Border::Circular)
}

/// More elements of a lane are not numbered.
fn must_be_numbered(count: usize) -> Result {
    match u32::try_from(count) {
        Ok(_) => Ok(()),
        Err(_) => refuse(format_args!("{count} elements are padded together, which are too many")),
    }
}

fn border(call: &Call<'_>, signature: &Movement, border: Border) -> Result<Plan> {
    let (gradient, own) = (call.tensor("gradOutput")?, call.tensor("self")?);
    let output = call.tensor("gradInput")?;
    // A null array is told before types.
    call.ints("padding")?;
    let of_gradient = dtype(&gradient, &output, signature)?;
    if own.known_dtype() != Some(of_gradient) {
        return refuse(format_args!("self must be {of_gradient} as the derivatives are"));
    }
    check::output_shape(&output, own.shape()?)?;
    let Some(padded) = Padded::of(call, &own, &gradient, border)? else { return Ok(Plan::empty()) };
    let shape = own.shape()?;
    let axes: Axes = padded.axes(shape).collect();
    let of = |sizes: &[usize]| {
        axes.iter().map(|axis| sizes[*axis]).fold(1_usize, |count, size| count.saturating_mul(size))
    };
    let (len, given) = (of(shape), of(gradient.shape()?));
    must_be_numbered(len.max(given))?;
    let count = shape.numel().unwrap_or(0) / len.max(1);
    let lanes = |operand, len| Lanes::rows(operand, len, F64);
    let padded_shape = shape.clone();
    let body = sums_at(move || padded.shown(&padded_shape, border));
    plan(vec![lanes(&gradient, given)?], lanes(&output, len)?, count, body)
}

pub(super) fn unfold_grad(call: &Call<'_>) -> Result<Plan> {
    let operands = || Ok((call.tensor("gradOut")?, call.ints("inputSizes")?, call.tensor("gradIn")?));
    let (gradient, sizes, output) = operands().map_err(check::null_is_internal)?;
    let of_gradient = dtype(&gradient, &output, &signatures::unfold_grad)?;
    let shape = output.shape()?;
    if !shape.iter().map(|size| *size as i64).eq(sizes.iter().copied()) {
        return refuse(format_args!("{} has shape {shape}, but inputSizes is {sizes:?}", output.name));
    }
    check::rank(&gradient)?;
    let axis = axis_in("dim", call.int("dim")?, shape.rank())?;
    let (size, step, len) = (call.int("size")?, call.int("step")?, shape[axis] as i64);
    if step < 1 || !(1..=len).contains(&size) {
        let message =
            format!("size is {size} and step {step}, which no window along an axis of {len} elements has");
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
    }
    let windows = ((len - size) / step + 1) as usize;
    let sizes = resized(shape, axis, windows);
    check::output_shape(&gradient, &[&sizes[..], &[size as usize]].concat())?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let given = windows * size as usize;
    must_be_numbered(given.max(shape[axis]))?;
    let places = move || {
        let mut places = allocation::for_elements(given)?;
        places.extend(
            (0..windows as u32).flat_map(|window| (0..size as u32).map(move |at| window * step as u32 + at)),
        );
        Ok(places)
    };
    let count = shape.numel().unwrap_or(0) / shape[axis];
    let input = Lanes {
        operand: &gradient,
        view: gradient.lanes(of_gradient, &[axis, shape.rank()])?,
        len: given,
        seen: F64,
    };
    let to =
        Lanes { operand: &output, view: output.lanes(of_gradient, &[axis])?, len: shape[axis], seen: F64 };
    plan(vec![input], to, count, sums_at(places))
}
