//! Gated units of the rows of experts, with a weight for each row.

use aclnn_numerics::DType::{F32, I64};
use cann_kernels::networks::experts::units::{limited_unit_gradients, limited_units};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, when_divided};
use crate::operators::lane_planner::Planner;
use crate::operators::signatures;
use crate::operators::stage_planner::typed;
use crate::status::Result;

/// No limit is 0 or less.
fn limit(call: &Call<'_>) -> Result<f64> {
    let limit = call.float("clampLimit")?;
    Ok(if limit > 0.0 { limit } else { f64::INFINITY })
}

/// Checks the numbers of rows of groups, and numbers for each row; returns how many rows there are, and elements of a half.
fn rows(
    x: &Operand,
    halves: &Operand,
    groups: Option<&Operand>,
    weights: &[Option<&Operand>],
) -> Result<[usize; 2]> {
    let (shape, half) = (x.shape()?, halves.shape()?);
    let (Some((len, outer)), Some((own, others))) = (shape.split_last(), half.split_last()) else {
        return invalid(format_args!(
            "{} has shape {shape} and {} {half}, but both must have axes",
            x.name, halves.name
        ));
    };
    if outer != others || own.checked_mul(2) != Some(*len) {
        return invalid(format_args!(
            "{} has shape {shape}, and {} {half}, which are not its halves",
            x.name, halves.name
        ));
    }
    let count = outer.iter().product();
    check::have_elements(weights, count)?;
    if let Some(groups) = groups {
        check::sizes::<1>(groups)?;
    }
    Ok([count, *own])
}

/// The operands that a call may leave out, of which the first has groups.
fn optional<'c>(call: &'c Call<'_>) -> Result<[Option<Operand<'c>>; 2]> {
    let [groups, weights] = call.optional_tensors_of(["groupIndexOptional", "weightOptional"])?;
    check::each(groups.as_slice(), |groups| typed(groups, &[I64]))?;
    check::each(weights.as_slice(), |weights| typed(weights, &[F32]))?;
    Ok([groups, weights])
}

pub(super) fn swiglu_group(call: &Call<'_>) -> Result<Plan> {
    let [x, out] = call.tensors_of(["x", "out"])?;
    check::alike(&[&x, &out], signatures::swiglu_group.takes)?;
    let ([groups, weights], limit) = (optional(call)?, limit(call)?);
    let [count, len] = rows(&x, &out, groups.as_ref(), &[weights.as_ref()]).map_err(when_divided)?;
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let inputs = [planner.rows(&x, 2 * len)?, planner.read_if(weights.as_ref(), 1, &Operand::in_order)?];
    let out = planner.out(&out, len)?;
    planner.lanes(count, inputs, [out], "units of experts", move |[x, weight], [out]| {
        let weight = weight.first().map_or(1.0, |weight| f64::from(*weight));
        limited_units(x, weight, limit, out);
    })?;
    Ok(planner.plan())
}

pub(super) fn swiglu_group_grad(call: &Call<'_>) -> Result<Plan> {
    let [grad, x, out] = call.tensors_of(["gradY", "x", "gradXOut"])?;
    let given = |name| -> Result<Option<Operand>> {
        Ok(call.optional_tensor(name)?.filter(|operand| !operand.is_nothing()))
    };
    let (made, of_weights) = (given("yOriginOptional")?, given("gradWeightOutOptional")?);
    let mut all = vec![&grad, &x, &out];
    all.extend(&made);
    check::alike(&all, signatures::swiglu_group_grad.takes)?;
    let ([groups, weights], limit) = (optional(call)?, limit(call)?);
    check::all_exactly(of_weights.as_slice(), F32)?;
    let checked = || -> Result<[usize; 2]> {
        let sizes = rows(&x, &grad, groups.as_ref(), &[weights.as_ref(), of_weights.as_ref()])?;
        check::each(made.as_slice(), |made| check::has_shape(made, grad.shape()?))?;
        check::output_shape(&out, x.shape()?)?;
        Ok(sizes)
    };
    let [count, len] = checked().map_err(when_divided)?;
    if grad.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(&grad, len)?,
        planner.rows(&x, 2 * len)?,
        planner.read_if(weights.as_ref(), 1, &Operand::in_order)?,
        planner.read_if(made.as_ref(), len, &Operand::in_order)?,
    ];
    let outputs =
        [planner.out(&out, 2 * len)?, planner.write_if(of_weights.as_ref(), 1, &Operand::in_order)?];
    planner.lanes(count, inputs, outputs, "gradients of units", move |inputs, [out, of_weight]| {
        let [grad, x, weight, made] = inputs;
        let weight = weight.first().map_or(1.0, |weight| f64::from(*weight));
        of_weight.fill(limited_unit_gradients([grad, x, made], weight, limit, out) as f32);
    })?;
    Ok(planner.plan())
}
