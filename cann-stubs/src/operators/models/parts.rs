//! Sums of what experts made of parts.

use aclnn_numerics::DType::{F32, I32};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::networks::experts::gradients::{Gating, Sums, sum_of_places};
use cann_kernels::{Cause, Failure};

use crate::operators::axes::{filled, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes, when_divided};
use crate::operators::lane_planner::{Lanes, Planner, ints};
use crate::operators::signatures;
use crate::status::Result;

pub(super) fn moe_init_routing_v2_grad(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["gradExpandedX", "out"])?;
    let ([grad, out], places) = (&tensors, call.tensor("expandedRowIdx")?);
    check::alike(&[grad, out], signatures::moe_init_routing_v2_grad.takes)?;
    check::exactly(&places, I32)?;
    let (top, mode, active) = (call.int("topK")?, call.int("dropPadMode")?, call.int("activeNum")?);
    let checked = || -> Result<[usize; 3]> {
        let [rows, len] = sizes(out)?;
        let Some(top) = usize::try_from(top).ok().filter(|top| *top > 0) else {
            return invalid(format_args!("topK is {top}, but must be positive"));
        };
        if !(0..=1).contains(&mode) || active < 0 {
            return invalid(format_args!(
                "dropPadMode is {mode} and activeNum {active}; the first must be 0 or 1, and the second not negative"
            ));
        }
        has_shape(&places, &[rows.saturating_mul(top)])?;
        let fits = match (&grad.shape()?[..], mode) {
            ([_, own], 0) | ([_, _, own], 1) => *own == len,
            _ => false,
        };
        match fits {
            true => Ok([rows, len, top]),
            false => invalid(format_args!(
                "gradExpandedX has shape {}, which has no rows of {len} elements",
                grad.shape()?
            )),
        }
    };
    let [rows, len, top] = checked().map_err(when_divided)?;
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let given = grad.shape()?.numel().unwrap_or(0);
    let limit = if mode == 0 && active > 0 { active as usize } else { usize::MAX };
    let mut planner = Planner::new();
    let inputs = [planner.all(Some(grad), rows)?, planner.numbers(&places, top)?];
    let out = planner.out(out, len)?;
    planner.try_lanes(rows, inputs, [out], "sums of experts", move |[grad, places], [out]| {
        // Rows that no expert took have a negative place, or one behind those that are active.
        sum_of_places(grad, ints(places), limit, out).map_err(|place| {
            let message = format_args!("expandedRowIdx has {place}, but there are {} rows", given / len);
            Failure::new(Cause::AiCore, message)
        })
    })?;
    Ok(planner.plan())
}

pub(super) fn moe_gating_top_k_backward(call: &Call<'_>) -> Result<Plan> {
    let (scores, places) = (call.tensor("xNorm")?, call.tensor("expertIdx")?);
    let tensors = call.tensors_of(["gradY", "out"])?;
    let [grad, out] = &tensors;
    let own = check::alike(&[grad, out], signatures::moe_gating_top_k_backward.takes)?;
    if scores.known_dtype() != Some(F32) {
        check::exactly(&scores, own)?;
    }
    check::exactly(&places, I32)?;
    let (renorm, kind) = (call.int("renorm")?, call.int("normType")?);
    let checked = || -> Result<[usize; 3]> {
        let ([rows, experts], [_, k]) = (sizes(&scores)?, sizes::<2>(grad)?);
        has_shape(grad, &[rows, k])?;
        has_shape(&places, grad.shape()?)?;
        check::output_shape(out, scores.shape()?)?;
        match [renorm, kind].iter().all(|number| (0..=1).contains(number)) {
            true => Ok([rows, experts, k]),
            false => invalid(format_args!("renorm is {renorm} and normType {kind}; both must be 0 or 1")),
        }
    };
    let [rows, experts, k] = checked().map_err(when_divided)?;
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let gating = Gating {
        is_sigmoid: kind == 1,
        divides: kind == 1 || renorm == 1,
        eps: call.float("eps")?,
        factor: call.float("routedScalingFactor")?,
    };
    let mut planner = Planner::new();
    let inputs = [planner.rows(&scores, experts)?, planner.rows(grad, k)?, planner.numbers(&places, k)?];
    let out = planner.out(out, experts)?;
    planner.try_lanes(rows, inputs, [out], "gradients of scores", move |[n, g, places], [out]| {
        gating.gradients(n, g, ints(places), out).map_err(|place| {
            let message = format_args!("expertIdx has {place}, but there are {experts} experts");
            Failure::new(Cause::AiCore, message)
        })
    })?;
    Ok(planner.plan())
}

/// The gradients of the rows of experts that a sum of them has, and of their factors. Modes are those of the sum.
pub(super) fn moe_finalize_routing_v2_grad(call: &Call<'_>) -> Result<Plan> {
    let [grad, out] = call.tensors_of(["gradY", "gradExpandedXOut"])?;
    let names = ["expandedXOptional", "scalesOptional", "expertIdxOptional", "biasOptional"];
    let (places, [rows, factors, experts, bias]) =
        (call.tensor("expandedRowIdx")?, names.map(|name| call.optional_tensor(name)));
    let (expanded, factors, experts, bias) = (rows?, factors?, experts?, bias?);
    let of_factors = factors.as_ref().map(|_| call.tensor("gradScalesOut")).transpose()?;
    let all = [Some(grad), Some(out), expanded, bias];
    let dtype = check::alike(&all, signatures::moe_finalize_routing_v2_grad.takes)?;
    if let Some((factors, grad)) = factors.as_ref().zip(of_factors.as_ref()) {
        check::exactly(grad, check::dtype(factors, Types::of("float"))?)?;
    }
    check::all_exactly(&[experts.as_ref(), Some(&places)], I32)?;
    let mode = call.int("dropPadMode")?;
    let checked = || -> Result<[usize; 3]> {
        let [rows, len] = sizes(&grad)?;
        let [_, k] = factors.as_ref().map_or(Ok([rows, 1]), sizes)?;
        let count = rows.saturating_mul(k);
        has_shape(&places, &[count])?;
        for operand in [&factors, &of_factors, &experts].into_iter().flatten() {
            has_shape(operand, &[rows, k])?;
        }
        let number = |name| Ok::<usize, crate::status::Status>(usize::try_from(call.int(name)?).unwrap_or(0));
        let (active, number_of_experts, capacity) =
            (number("activeNum")?, number("expertNum")?, number("expertCapacity")?);
        let shape = match mode {
            0 | 2 if active > 0 => Shape::from([active.min(count), len]),
            0 | 2 => Shape::from([count, len]),
            1 | 3 => Shape::from([number_of_experts, capacity, len]),
            _ => return invalid(format_args!("dropPadMode is {mode}, but must be from 0 to 3")),
        };
        check::output_shape(&out, &shape)?;
        check::have_shape(expanded.as_slice(), &shape)?;
        if let Some(bias) = &bias {
            let [of_bias, _] = sizes(bias)?;
            has_shape(bias, &[of_bias, len])?;
        }
        match factors.is_some() && expanded.is_none() || bias.is_some() && experts.is_none() {
            true => {
                invalid("scalesOptional needs expandedXOptional, and biasOptional needs expertIdxOptional")
            }
            false => Ok([rows, k, len]),
        }
    };
    let [rows, k, len] = checked().map_err(when_divided)?;
    if len == 0 || rows == 0 {
        let mut outputs = vec![(&out, dtype)];
        if let Some(grad) = &of_factors {
            outputs.push((grad, check::any_dtype(grad)?));
        }
        return filled(&outputs, 0.0);
    }
    let by_column = mode < 2;
    let mut planner = Planner::new();
    let inputs = [
        planner.all(Some(&grad), 1)?,
        planner.numbers(&places, rows * k)?,
        planner.all(expanded.as_ref(), 1)?,
        planner.all(factors.as_ref(), 1)?,
        planner.all(experts.as_ref(), 1)?.map(Lanes::whole),
        planner.all(bias.as_ref(), 1)?,
    ];
    let outputs = [
        planner.out(&out, out.count())?,
        planner.write_if(of_factors.as_ref(), rows * k, &Operand::in_order)?,
    ];
    planner.lanes(1, inputs, outputs, "gradients of sums", move |inputs, [out, of_factors]| {
        let [grad, places, rows, factors, experts, bias] = inputs;
        let (places, experts) = (ints(places), ints(experts));
        Sums { len, k, places, by_column, rows, factors, experts, bias }.gradients(grad, out, of_factors);
    })?;
    Ok(planner.plan())
}
