//! Sums of segments, and matrices whose rows and columns have one sum.

use aclnn_numerics::DType::F64;
use cann_kernels::axis::segments::{exponentials_of_segments, gradients_of_segments};
use cann_kernels::axis::sinkhorn::balance;

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::lane_planner::Planner;
use crate::operators::signatures;
use crate::status::Result;

/// Checks that one operand has a square matrix for each row of another; returns the number of rows and their length.
fn squares(rows: &Operand, matrices: &Operand) -> Result<[usize; 2]> {
    let shape = rows.shape()?;
    let Some(len) = shape.last().copied() else {
        return invalid(format_args!("{} has no axes", rows.name));
    };
    has_shape(matrices, &[&shape[..], &[len]].concat())?;
    check::ranks(&[rows, matrices])?;
    Ok([shape.numel().unwrap_or(0) / len.max(1), len])
}

pub(super) fn exp_segsum(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["self", "out"])?;
    let [own, out] = &tensors;
    check::alike(&[own, out], signatures::exp_segsum.takes)?;
    let [count, len] = squares(own, out)?;
    if count == 0 || len == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (x, out) = (planner.rows(own, len)?, planner.out(out, len.saturating_mul(len))?);
    planner.lanes(count, [x], [out], "sums of segments", |[x], [out]| exponentials_of_segments(x, out))?;
    Ok(planner.plan())
}

pub(super) fn exp_segsum_backward(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["gradOutput", "gradSelf", "gradInput"])?;
    let [grad, result, out] = &tensors;
    check::alike(&[grad, result, out], signatures::exp_segsum_backward.takes)?;
    let [count, len] = squares(out, grad)?;
    has_shape(result, grad.shape()?)?;
    if count == 0 || len == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let square = len.saturating_mul(len);
    let inputs = [planner.rows(grad, square)?, planner.rows(result, square)?];
    let out = planner.out(out, len)?;
    planner.lanes(count, inputs, [out], "gradients of segments", |[g, y], [out]| {
        gradients_of_segments(g, y, out);
    })?;
    Ok(planner.plan())
}

pub(super) fn sinkhorn(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["cost", "p"])?;
    let [cost, p] = &tensors;
    check::alike(&[cost, p], signatures::sinkhorn.takes)?;
    let [height, width] = sizes(cost)?;
    check::output_shape(p, cost.shape()?)?;
    let tolerance = match call.optional_scalar("tol")? {
        None => 1e-4,
        Some(scalar) => {
            let bytes = scalar.converted(F64).and_then(|bytes| bytes.first_chunk().copied());
            f64::from_ne_bytes(bytes.unwrap_or_default())
        }
    };
    if height == 0 || width == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let all = height.saturating_mul(width);
    let (x, out) = (planner.rows(cost, all)?, planner.out(p, all)?);
    planner.try_lanes(1, [x], [out], "balance rows and columns", move |[x], [out]| {
        balance(x, width, tolerance, out)
    })?;
    Ok(planner.plan())
}
