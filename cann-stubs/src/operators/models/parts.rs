//! Sums of what experts made of parts.

use aclnn_numerics::DType::{F32, I32};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::networks::attention::dot;
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
        out.fill(0.0);
        for place in ints(places) {
            // Rows that no expert took have a negative place, or one behind those that are active.
            let Some(place) = usize::try_from(*place).ok().filter(|place| *place < limit) else { continue };
            let Some(row) = grad.chunks(len).nth(place) else {
                let message = format_args!("expandedRowIdx has {place}, but there are {} rows", given / len);
                return Err(Failure::new(Cause::AiCore, message));
            };
            out.iter_mut().zip(row).for_each(|(out, x)| *out += x);
        }
        Ok(())
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
    let (factor, eps) = (call.float("routedScalingFactor")?, call.float("eps")?);
    let (is_sigmoid, divides) = (kind == 1, kind == 1 || renorm == 1);
    let mut planner = Planner::new();
    let inputs = [planner.rows(&scores, experts)?, planner.rows(grad, k)?, planner.numbers(&places, k)?];
    let out = planner.out(out, experts)?;
    planner.try_lanes(rows, inputs, [out], "gradients of scores", move |[n, g, places], [out]| {
        let places = ints(places);
        let exists = |place: &i32| usize::try_from(*place).is_ok_and(|place| place < experts);
        if let Some(place) = places.iter().find(|place| !exists(place)) {
            return Err(Failure::new(
                Cause::AiCore,
                format_args!("expertIdx has {place}, but there are {experts} experts"),
            ));
        }
        let at = |place: &i32| f64::from(n[*place as usize]);
        let sum = places.iter().map(at).sum::<f64>() + eps;
        let product: f64 = places.iter().zip(g).map(|(place, g)| at(place) * f64::from(*g)).sum();
        out.fill(0.0);
        for (place, g) in places.iter().zip(g) {
            let own = if divides { f64::from(*g) / sum - product / (sum * sum) } else { f64::from(*g) };
            out[*place as usize] += (factor * own) as f32;
        }
        let inner: f64 = out.iter().zip(n).map(|(d, n)| f64::from(*d) * f64::from(*n)).sum();
        for (d, n) in out.iter_mut().zip(n) {
            let (own, n) = (f64::from(*d), f64::from(*n));
            *d = (if is_sigmoid { own * n * (1.0 - n) } else { n * (own - inner) }) as f32;
        }
        Ok(())
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
    planner.lanes(
        1,
        inputs,
        outputs,
        "gradients of sums",
        move |[grad, places, expanded, factors, experts, bias], [out, of_factors]| {
            out.fill(0.0);
            let product = |grad: &[f32], row: Option<&[f32]>| dot(grad, row.unwrap_or_default());
            for (row, grad) in grad.chunks(len).enumerate() {
                for choice in 0..k {
                    let place = ints(places)[if by_column { choice * rows + row } else { row * k + choice }];
                    // An expert that did not take a row has a place that does not exist.
                    let place = usize::try_from(place).unwrap_or(usize::MAX);
                    let own = row * k + choice;
                    if let Some(to) = out.chunks_mut(len).nth(place) {
                        let factor = factors.get(own).copied().unwrap_or(1.0);
                        to.iter_mut().zip(grad).for_each(|(to, grad)| *to += factor * grad);
                    }
                    if let Some(to) = of_factors.get_mut(own) {
                        let expert = ints(experts).get(own).and_then(|expert| usize::try_from(*expert).ok());
                        let bias = expert.and_then(|expert| bias.chunks(len).nth(expert));
                        *to = (product(grad, expanded.chunks(len).nth(place)) + product(grad, bias)) as f32;
                    }
                }
            }
        },
    )?;
    Ok(planner.plan())
}
