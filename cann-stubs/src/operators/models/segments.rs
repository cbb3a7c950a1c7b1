//! Sums of segments, and matrices whose rows and columns have one sum.

use aclnn_numerics::DType::F64;
use cann_kernels::allocation;

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
    planner.lanes(count, [x], [out], "sums of segments", move |[x], [out]| {
        for j in 0..len {
            let mut sum = 0.0;
            for i in 0..len {
                if i > j {
                    sum += f64::from(x[i]);
                }
                out[i * len + j] = if i < j { 0.0 } else { sum.exp() as f32 };
            }
        }
    })?;
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
    planner.lanes(count, inputs, [out], "gradients of segments", move |[g, y], [out]| {
        let product = |i: usize, j: usize| f64::from(g[i * len + j]) * f64::from(y[i * len + j]);
        // Element k is in the segments that begin before it and end at it or behind it.
        let mut sum = 0.0;
        for (k, out) in out.iter_mut().enumerate() {
            if k > 0 {
                sum -= (0..k - 1).map(|j| product(k - 1, j)).sum::<f64>();
                sum += (k..len).map(|i| product(i, k - 1)).sum::<f64>();
            }
            *out = sum as f32;
        }
    })?;
    Ok(planner.plan())
}

/// Rounds after which rows and columns are left as they are.
const ROUNDS: usize = 10_000;

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
        for (out, x) in out.iter_mut().zip(x) {
            *out = f64::from(*x).exp() as f32;
        }
        let mut rows = allocation::zeros::<f64>(height)?;
        let (mut columns, mut sums) = (allocation::zeros::<f64>(width)?, allocation::zeros::<f64>(width)?);
        columns.fill(1.0);
        for _ in 0..ROUNDS {
            sums.fill(0.0);
            for (factor, row) in rows.iter_mut().zip(out.chunks(width)) {
                let sum: f64 = row.iter().zip(&columns).map(|(x, column)| f64::from(*x) * column).sum();
                *factor = 1.0 / (height as f64 * (sum + 1e-8));
                sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += *factor * f64::from(*x));
            }
            let mut change = 0.0;
            for (column, sum) in columns.iter_mut().zip(&sums) {
                let next = 1.0 / (width as f64 * (sum + 1e-8));
                change += (*column - next).abs() / width as f64;
                *column = next;
            }
            if change.is_nan() || change <= tolerance {
                break;
            }
        }
        for (factor, row) in rows.iter().zip(out.chunks_mut(width)) {
            row.iter_mut()
                .zip(&columns)
                .for_each(|(x, column)| *x = (f64::from(*x) * factor * column) as f32);
        }
        Ok(())
    })?;
    Ok(planner.plan())
}
