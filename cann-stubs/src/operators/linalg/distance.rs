//! Distances between rows of matrices.

use aclnn_numerics::DType::{self, F32, F64};
use aclnn_numerics::layout::{Shape, broadcast};
use cann_kernels::products::linalg::{self, Norm};

use super::matrices::{RANKS, Seen, kernel_type, matrices, planned, shape};
use crate::operators::axes::{filled, invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

/// Refuses exponents by which no distance is measured.
fn must_be_exponent(p: f64) -> Result {
    match p >= 0.0 {
        true => Ok(()),
        false => invalid(format_args!("p is {p}, but must not be negative or NaN")),
    }
}

/// Both matrices of a distance: their other axes, which broadcast, the rows of each and the elements of a row.
fn rows(first: &Operand, second: &Operand) -> Result<(Shape, [usize; 2], usize)> {
    let (of_first, [rows, width]) = matrices(first, &RANKS)?;
    let (of_second, [others, other]) = matrices(second, &RANKS)?;
    if width != other {
        return invalid(format_args!(
            "rows of x1 have {width} elements and those of x2 {other}; both must be the same"
        ));
    }
    let batch = broadcast(&Shape::from(of_first), &Shape::from(of_second))
        .or_else(|why| invalid(format_args!("the matrices of x1 and x2 do not broadcast: {why}")))?;
    Ok((batch, [rows, others], width))
}

/// The type of all operands.
fn common(call: &Call<'_>, operands: &[&Operand]) -> Result<DType> {
    let signature =
        if call.info.function() == "cdist" { &signatures::cdist } else { &signatures::cdist_backward };
    let dtype = check::dtype(operands[0], signature.takes)?;
    for operand in &operands[1..] {
        output_of(signature.output, dtype, dtype, operand)?;
    }
    Ok(dtype)
}

pub(super) fn cdist(call: &Call<'_>) -> Result<Plan> {
    let (first, second, out) = (call.tensor("x1")?, call.tensor("x2")?, call.tensor("out")?);
    let dtype = common(call, &[&first, &second, &out])?;
    let (p, mode) = (call.float("p")?, call.int("compute_mode")?);
    must_be_exponent(p)?;
    if p == 2.0 && mode != 2 {
        return invalid(format_args!("compute_mode is {mode}, but must be 2 where p is 2"));
    }
    let (batch, [own, others], width) = rows(&first, &second)?;
    check::output_shape(&out, &shape(&batch, &[own, others]))?;
    let count = batch.numel().unwrap_or(0);
    if count * own * others == 0 {
        return Ok(Plan::empty());
    }
    if width == 0 {
        return filled(&[(&out, dtype)], 0.0);
    }
    let inputs = vec![
        Seen::broadcast(&first, dtype, &shape(&batch, &[own, width]), own * width)?,
        Seen::broadcast(&second, dtype, &shape(&batch, &[others, width]), others * width)?,
    ];
    let outputs = vec![Seen::whole(&out, dtype, kernel_type(dtype), own * others)?.rounded()];
    let body = linalg::distances(Norm::of(p), width);
    planned(PlanBuilder::new(), inputs, outputs, (count, F64), true, body)
}

/// Refuses what PyTorch refuses, as the checks of CANN are not described.
pub(super) fn cdist_backward(call: &Call<'_>) -> Result<Plan> {
    let (gradient, first, second) = (call.tensor("grad")?, call.tensor("x1")?, call.tensor("x2")?);
    let (distances, out) = (call.tensor("cdist")?, call.tensor("out")?);
    let dtype = common(call, &[&gradient, &first, &second, &distances, &out])?;
    let p = call.float("p")?;
    must_be_exponent(p)?;
    let (batch, [own, others], width) = rows(&first, &second)?;
    for operand in [&gradient, &distances] {
        check::output_shape(operand, &shape(&batch, &[own, others]))?;
    }
    check::output_shape(&out, &shape(&batch, &[own, width]))?;
    let count = batch.numel().unwrap_or(0);
    if count * own * others * width == 0 {
        return filled(&[(&out, dtype)], 0.0);
    }
    let inputs = vec![
        Seen::whole(&gradient, dtype, kernel_type(dtype), own * others)?,
        Seen::broadcast(&first, dtype, &shape(&batch, &[own, width]), own * width)?,
        Seen::broadcast(&second, dtype, &shape(&batch, &[others, width]), others * width)?,
        Seen::whole(&distances, dtype, kernel_type(dtype), own * others)?,
    ];
    let outputs = vec![Seen::whole(&out, dtype, kernel_type(dtype), own * width)?];
    let body = linalg::distances_backward(Norm::of(p), width);
    planned(PlanBuilder::new(), inputs, outputs, (count, F64), true, body)
}

pub(super) fn pdist(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::pdist;
    let is_object = call.is_scalar("pScalar");
    let operands = || {
        Ok((
            call.tensor("self")?,
            if is_object { Some(call.scalar("pScalar")?) } else { None },
            call.tensor("out")?,
        ))
    };
    let internal = |status: Status| if is_object { check::null_is_internal(status) } else { status };
    let (own, scalar, out) = operands().map_err(internal)?;
    let dtype = check::dtype(&own, signature.takes)?;
    output_of(signature.output, dtype, dtype, &out)?;
    let p = match &scalar {
        Some(scalar) => match scalar.real(F32).filter(|_| !scalar.dtype.is_complex()) {
            Some(p) => p,
            None => {
                return invalid(format_args!("pScalar is {}, which is not converted to f32", scalar.dtype));
            }
        },
        None => call.float("p")?,
    };
    // A scalar may be NaN.
    if scalar.is_none() || p < 0.0 {
        must_be_exponent(p)?;
    }
    let (_, [rows, width]) = matrices(&own, &(2..=2))?;
    let pairs = rows.saturating_mul(rows.saturating_sub(1)) / 2;
    check::output_shape(&out, &[pairs])?;
    if pairs == 0 {
        return Ok(Plan::empty());
    }
    if width == 0 {
        return filled(&[(&out, dtype)], 0.0);
    }
    let inputs = vec![Seen::whole(&own, dtype, kernel_type(dtype), rows * width)?];
    let outputs = vec![Seen::whole(&out, dtype, kernel_type(dtype), pairs)?.rounded()];
    planned(PlanBuilder::new(), inputs, outputs, (1, F64), true, linalg::distances_within(Norm::of(p), width))
}
