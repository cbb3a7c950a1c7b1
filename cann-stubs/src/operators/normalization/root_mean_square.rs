//! Trailing axes divided by the root of the mean of their squares.

use aclnn_numerics::DType::{self, BF16, F16, F32};
use aclnn_numerics::product::Product::{Ascend910B, Ascend950};
use aclnn_numerics::{bf16, f16};
use aclnn_sys::ACLNN_ERR_PARAM_NULLPTR;
use cann_kernels::allocation;
use cann_kernels::axis::normalization::{
    Spread, add_rounded, first, gradient, inverse_root, scale, scale_rounded, store, sum_of_triple_products,
};
use smallvec::SmallVec;

use super::checks::{are_own_or_single, has_shape, have_elements, trailing};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::lane_planner::Planner;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

/// The numbers of rows and of their elements, for a weight of the shape of a row.
fn rows(x: &Operand, gamma: &Operand) -> Result<(usize, usize)> {
    check::rank(x)?;
    let inner = trailing(x, gamma.shape()?)?;
    let (outer, inner) = x.shape()?.split_at(x.rank() - inner);
    match inner.iter().product() {
        0 => invalid(format_args!("{} is empty", gamma.name)),
        len => Ok((outer.iter().product(), len)),
    }
}

/// A weight has the type of its tensor, or f32 where the product takes that.
fn suits(gamma: &Operand, own: DType) -> Result {
    match settings::get().product {
        Ascend910B | Ascend950 => are_own_or_single(&[Some(gamma)], own),
        _ => check::exactly(gamma, own),
    }
}

pub(super) fn rms_norm(call: &Call<'_>) -> Result<Plan> {
    let (x, gamma) = (call.tensor("x")?, call.tensor("gamma")?);
    let (out, rstd) = (call.tensor("yOut")?, call.tensor("rstdOut")?);
    let signature = &signatures::rms_norm;
    let from = check::dtype(&x, signature.takes)?;
    suits(&gamma, from)?;
    output_of(signature.output, from, from, &out)?;
    normalized(&x, &gamma, &out, &rstd, call.float("epsilon")?, 0.0)
}

pub(super) fn gemma_rms_norm(call: &Call<'_>) -> Result<Plan> {
    let (x, gamma) = (call.tensor("x")?, call.tensor("gamma")?);
    let (out, rstd) = (call.tensor("yOut")?, call.tensor("rstdOut")?);
    let signature = &signatures::gemma_rms_norm;
    let from = check::dtype(&x, signature.takes)?;
    check::exactly(&gamma, from)?;
    output_of(signature.output, from, from, &out)?;
    normalized(&x, &gamma, &out, &rstd, call.float("epsilon")?, 1.0)
}

/// Rows times a weight to which a number is added.
fn normalized(
    x: &Operand,
    gamma: &Operand,
    out: &Operand,
    rstd: &Operand,
    eps: f64,
    added: f64,
) -> Result<Plan> {
    check::exactly(rstd, F32)?;
    let checked = || {
        let (count, len) = rows(x, gamma)?;
        has_shape(out, x.shape()?)?;
        // Programs give rstd other ranks than x: its elements count.
        have_elements(&[Some(rstd)], count)?;
        Ok((count, len))
    };
    let (count, len) = checked().map_err(check::when_divided)?;
    if count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let x = planner.read(x, len, &Operand::in_order)?;
    let gamma = planner.read(gamma, len, &|operand, dtype| operand.repeated(dtype, count))?;
    let out = planner.write(out, len, &Operand::in_order)?;
    let rstd = planner.write(rstd, 1, &Operand::in_order)?;
    planner.lanes(count, [x, gamma], [out, rstd], "normalise rows", move |[x, gamma], [out, rstd]| {
        let inverse = inverse_root(x, eps);
        scale(x, inverse, gamma, added, out);
        store(rstd, inverse);
    })?;
    Ok(planner.plan())
}

pub(super) fn rms_norm_grad(call: &Call<'_>) -> Result<Plan> {
    let [dy, x, rstd, gamma] = call.tensors_of(["dy", "x", "rstd", "gamma"])?;
    let (of_x, of_gamma) = (call.tensor("dxOut")?, call.tensor("dgammaOut")?);
    let signature = &signatures::rms_norm_grad;
    let from = check::dtype(&dy, signature.takes)?;
    check::exactly(&x, from)?;
    suits(&gamma, from)?;
    output_of(signature.output, from, from, &of_x)?;
    check::all_exactly(&[&rstd, &of_gamma], F32)?;
    let checked = || {
        let (count, len) = rows(&x, &gamma)?;
        has_shape(&dy, x.shape()?)?;
        has_shape(&of_x, x.shape()?)?;
        have_elements(&[Some(&rstd)], count)?;
        have_elements(&[Some(&of_gamma)], len)?;
        Ok((count, len))
    };
    let (count, len) = checked().map_err(check::when_divided)?;
    if count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let outer: SmallVec<[usize; 8]> = (0..x.rank() - gamma.rank()).collect();
    let columns = |operand: &Operand, dtype: DType| operand.lanes(dtype, &outer);
    let inputs = [
        planner.read(&dy, count, &columns)?,
        planner.read(&x, count, &columns)?,
        planner.read(&rstd, count, &|operand, dtype| operand.repeated(dtype, len))?,
    ];
    let out = planner.write(&of_gamma, 1, &Operand::in_order)?;
    planner.lanes(len, inputs, [out], "sum gradients of columns", |[g, x, rstd], [out]| {
        store(out, sum_of_triple_products(g, x, rstd));
    })?;
    let inputs = [
        planner.read(&dy, len, &Operand::in_order)?,
        planner.read(&x, len, &Operand::in_order)?,
        planner.read(&rstd, 1, &Operand::in_order)?,
        planner.read(&gamma, len, &|operand, dtype| operand.repeated(dtype, count))?,
    ];
    let out = planner.write(&of_x, len, &Operand::in_order)?;
    planner.lanes(count, inputs, [out], "gradients of rows", |[g, x, rstd, gamma], [out]| {
        gradient([g, x], (0.0, first(rstd, 1.0)), Spread::new(gamma, 1.0), false, out);
    })?;
    Ok(planner.plan())
}

/// Where the kernel of a type rounds, before the 950.
#[derive(Clone, Copy)]
struct Roundings {
    /// Of the sum.
    sum: fn(f64) -> f64,
    /// Of the normalised sum.
    normalized: fn(f64) -> f64,
}

impl Roundings {
    fn of(dtype: DType) -> Self {
        let single = |number: f64| f64::from(number as f32);
        let none = Self { sum: single, normalized: |number| number };
        match dtype {
            _ if settings::get().product == Ascend950 => none,
            F16 => {
                let half = |number| f16::from_f64(number).to_f64();
                Self { sum: half, normalized: half }
            }
            BF16 => Self { sum: single, normalized: |number| bf16::from_f64(number).to_f64() },
            _ => none,
        }
    }
}

pub(super) fn add_rms_norm(call: &Call<'_>) -> Result<Plan> {
    let is_in_place = call.is_in_place();
    let [first_name, second_name] = if is_in_place { ["x1Ref", "x2Ref"] } else { ["x1", "x2"] };
    let (x1, x2) = (call.tensor(first_name)?, call.tensor(second_name)?);
    let gamma = call.tensor("gamma")?;
    let (out, rstd, total) = match is_in_place {
        true => (call.tensor(first_name)?, Some(call.tensor("rstdOut")?), Some(call.tensor(second_name)?)),
        false => (call.tensor("yOut")?, call.optional_tensor("rstdOut")?, call.optional_tensor("xOut")?),
    };
    let (rstd, total) = (rstd.as_ref(), total.as_ref());
    let signature = &signatures::add_rms_norm;
    if rstd.is_some() && total.is_none() {
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, "xOut is null, but rstdOut is not"));
    }
    let from = check::dtype(&x1, signature.takes)?;
    if rstd.is_none() && from == F32 {
        return invalid("x1 is f32, but without rstdOut the operator takes f16 and bf16");
    }
    check::all_exactly(&[Some(&x2), Some(&gamma), Some(&out), total], from)?;
    check::all_exactly(rstd.as_slice(), F32)?;
    let same_shapes = || {
        check::rank(&x1)?;
        if x1.rank() == 0 {
            return invalid("x1 has no axes");
        }
        check::each(&[Some(&x2), Some(&out), total], |other| has_shape(other, x1.shape()?))
    };
    let is_empty = |operand: &Operand| operand.shape().is_ok_and(|shape| shape.is_empty_tensor());
    if is_in_place {
        same_shapes().map_err(check::when_divided)?;
        if is_empty(&x1) || is_empty(&gamma) {
            return check::untiled("x1 and gamma must have elements where the result replaces x1");
        }
    }
    same_shapes()?;
    if rstd.is_none() && gamma.rank() > 2 {
        return invalid(format_args!(
            "gamma has {} axes, but without rstdOut it has at most 2",
            gamma.rank()
        ));
    }
    if is_empty(&x1) || is_empty(&gamma) {
        return Ok(Plan::empty());
    }
    let checked = || {
        let (count, len) = rows(&x1, &gamma)?;
        have_elements(&[rstd], count)?;
        Ok((count, len))
    };
    let (count, len) = checked().map_err(check::when_divided)?;
    let eps = call.float("epsilon")?;
    added([&x1, &x2, &gamma], (&out, rstd, total), eps, [count, len])
}

/// The sum of two operands, and `count` rows of `len` elements of it divided by the root of the mean of their squares.
pub(in crate::operators) fn added(
    [x1, x2, gamma]: [&Operand; 3],
    (out, rstd, total): (&Operand, Option<&Operand>, Option<&Operand>),
    eps: f64,
    [count, len]: [usize; 2],
) -> Result<Plan> {
    let rounded = Roundings::of(check::any_dtype(x1)?);
    let mut planner = Planner::new();
    let inputs = [
        planner.read(x1, len, &Operand::in_order)?,
        planner.read(x2, len, &Operand::in_order)?,
        planner.read(gamma, len, &|operand, dtype| operand.repeated(dtype, count))?,
    ];
    let outputs = [
        planner.write(out, len, &Operand::in_order)?,
        planner.write_if(rstd, 1, &Operand::in_order)?,
        planner.write_if(total, len, &Operand::in_order)?,
    ];
    planner.try_lanes(
        count,
        inputs,
        outputs,
        "add and normalise rows",
        move |[x1, x2, gamma], [out, rstd, total]| {
            let mut sum = allocation::zeros(out.len())?;
            add_rounded(x1, x2, rounded.sum, &mut sum);
            if !total.is_empty() {
                total.copy_from_slice(&sum);
            }
            let inverse = inverse_root(&sum, eps);
            scale_rounded(&sum, inverse, gamma, rounded.normalized, out);
            store(rstd, inverse);
            Ok(())
        },
    )?;
    Ok(planner.plan())
}
