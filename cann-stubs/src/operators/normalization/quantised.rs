//! Norms whose results are quantised to i8, or written in two types. Here everything is computed in f64 and rounded once.

use aclnn_numerics::DType::{F32, I8};
use aclnn_numerics::layout::Shape;
use cann_kernels::allocation;
use cann_kernels::axis::normalization::{
    Quantisation, add_and_normalise, layer_norm_of_sum, quantise_smoothed, store,
};

use super::adaptive::{Batches, adapted};
use super::checks::{are_listed, have_elements};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::lane_planner::Planner;
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn ada_layer_norm_quant(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "scale", "shift"])?;
    let ([x, scale, shift], outputs) = (&tensors, call.tensors_of(["out", "quantScale"])?);
    let ([out, steps], mode) = (&outputs, call.text("quantMode")?);
    let optional = call.optional_tensors_of(["weightOptional", "biasOptional", "smoothScalesOptional"])?;
    let [weight, bias, smooth] = &optional;
    let all = [&tensors[..], weight.as_slice(), bias.as_slice(), smooth.as_slice()].concat();
    check::alike(&all, signatures::ada_layer_norm_quant.takes)?;
    check::exactly(out, I8)?;
    check::exactly(steps, F32)?;
    if mode != "dynamic" || call.optional_tensor("quantOffsetOptional")?.is_some() {
        return invalid("quantMode must be \"dynamic\", and quantOffset null");
    }
    let batches = Batches::of(x)?;
    let shape = x.shape()?;
    check::each(&[scale, shift], |operand| Batches::check(x, operand))?;
    check::have_shape(&optional, &[batches.len])?;
    check::output_shape(out, shape)?;
    check::output_shape(steps, &Shape::from(&shape[..shape.rank() - 1]))?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let (len, count, eps) = (batches.len, batches.all(), call.float("epsilon")?);
    let mut planner = Planner::new();
    let spread = |operand: &Operand, dtype| Batches::spread(x, operand, dtype);
    let inputs = [
        planner.rows(x, len)?,
        planner.read(scale, len, &spread)?,
        planner.read(shift, len, &spread)?,
        planner.all(weight.as_ref(), count)?,
        planner.all(bias.as_ref(), count)?,
        planner.all(smooth.as_ref(), count)?,
    ];
    let outputs = [planner.out(out, len)?, planner.out(steps, 1)?];
    planner.lanes(
        count,
        inputs,
        outputs,
        "normalise and quantise rows",
        move |[x, scale, shift, weight, bias, smooth], [out, step]| {
            adapted(x, [scale, shift, weight, bias], eps, out);
            store(step, quantise_smoothed(out, smooth).into());
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn add_layer_norm_quant(call: &Call<'_>) -> Result<Plan> {
    let takes = signatures::add_layer_norm_quant.takes;
    let tensors = call.tensors_of(["x1", "x2", "gamma", "beta"])?;
    let ([x1, x2, gamma, beta], y1) = (&tensors, call.tensor("y1Out")?);
    let optional = |name: &str| if call.has(name) { call.optional_tensor(name) } else { Ok(None) };
    let (bias, y2) = (optional("biasOptional")?, optional("y2Out")?);
    let (scales1, scales2) = (optional("scales1Optional")?, optional("scales2Optional")?);
    let (offsets1, offsets2) = (optional("zeroPoints1Optional")?, optional("zeroPoints2Optional")?);
    let (steps1, steps2) = (optional("outScales1Out")?, optional("outScales2Out")?);
    let (total, normal) = (optional("xOut")?, optional("layernormRes")?);
    let total = total.filter(|_| call.flag("additionalOutput").unwrap_or(false));
    let all = [&tensors[..], bias.as_slice(), total.as_slice(), normal.as_slice()].concat();
    check::alike(&all, takes)?;
    are_listed(&[scales1.as_ref(), scales2.as_ref(), offsets1.as_ref(), offsets2.as_ref()], takes)?;
    let is_dynamic = match call.text("quantMode")?.as_str() {
        "dynamic" => true,
        "static" => false,
        other => {
            return invalid(format_args!("quantMode is \"{other}\", but must be \"static\" or \"dynamic\""));
        }
    };
    // The second result is there if there is something to make it of.
    let y2 = y2.filter(|_| scales2.is_some());
    let (steps1, steps2) = (steps1.filter(|_| is_dynamic), steps2.filter(|_| is_dynamic && y2.is_some()));
    if is_dynamic && (steps1.is_none() || y2.is_some() && steps2.is_none()) {
        return invalid("rows that have scales of their own need outScales");
    }
    check::all_exactly(&[Some(&y1), y2.as_ref()], I8)?;
    check::all_exactly(&[&steps1, &steps2], F32)?;
    let checked = || -> Result<[usize; 2]> {
        check::rank(x1)?;
        let shape = x1.shape()?;
        let Some(len) = shape.last().copied() else { return invalid("x1 has no axes") };
        check::have_shape(&[Some(*x2), Some(y1), y2, total, normal], shape)?;
        let row = Shape::from([len]);
        check::have_shape(&[Some(gamma), Some(beta), bias.as_ref()], &row)?;
        for operand in [scales1, scales2, offsets1, offsets2].iter().flatten() {
            let is_single = operand.shape()?.numel() == Some(1);
            have_elements(&[Some(operand)], if is_single { 1 } else { len })?;
        }
        let count = shape.numel().unwrap_or(0) / len.max(1);
        have_elements(&[steps1.as_ref(), steps2.as_ref()], count)?;
        Ok([count, len])
    };
    let [count, len] = checked().map_err(check::when_divided)?;
    if x1.is_empty() {
        return Ok(Plan::empty());
    }
    let (scheme, eps) = (Quantisation { is_dynamic, divides: call.flag("divMode")? }, call.float("epsilon")?);
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(x1, len)?,
        planner.rows(x2, len)?,
        planner.all(bias.as_ref(), count)?,
        planner.all(Some(gamma), count)?,
        planner.all(Some(beta), count)?,
        planner.all(scales1.as_ref(), count)?,
        planner.all(offsets1.as_ref(), count)?,
        planner.all(scales2.as_ref(), count)?,
        planner.all(offsets2.as_ref(), count)?,
    ];
    let outputs = [
        planner.out(&y1, len)?,
        planner.write_if(y2.as_ref(), len, &Operand::in_order)?,
        planner.write_if(steps1.as_ref(), 1, &Operand::in_order)?,
        planner.write_if(steps2.as_ref(), 1, &Operand::in_order)?,
        planner.write_if(total.as_ref(), len, &Operand::in_order)?,
        planner.write_if(normal.as_ref(), len, &Operand::in_order)?,
    ];
    planner.try_lanes(
        count,
        inputs,
        outputs,
        "normalise and quantise rows",
        move |[x1, x2, bias, gamma, beta, scales1, offsets1, scales2, offsets2], outputs| {
            let [y1, y2, step1, step2, total, normal] = outputs;
            let mut row = allocation::zeros::<f32>(x1.len())?;
            layer_norm_of_sum([x1, x2, bias], [gamma, beta], eps, [&mut row, total]);
            normal.iter_mut().zip(&row).for_each(|(normal, x)| *normal = *x);
            scheme.apply(&row, [scales1, offsets1], y1, step1);
            scheme.apply(&row, [scales2, offsets2], y2, step2);
            Ok(())
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn add_rms_norm_cast(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x1", "x2", "gamma", "y2Out", "xOut"])?;
    let ([x1, x2, gamma, y2, total], singles) = (&tensors, call.tensors_of(["y1Out", "rstdOut"])?);
    let [y1, rstd] = &singles;
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::add_rms_norm_cast.takes)?;
    check::all_exactly(&singles, F32)?;
    let checked = || -> Result<[usize; 2]> {
        check::rank(x1)?;
        let (shape, row) = (x1.shape()?, gamma.shape()?);
        super::checks::trailing(x1, row)?;
        check::have_shape(&[x2, y1, y2, total], shape)?;
        let len = row.numel().unwrap_or(0);
        let count = shape.numel().unwrap_or(0) / len.max(1);
        have_elements(&[Some(rstd)], count)?;
        Ok([count, len])
    };
    let [count, len] = checked().map_err(check::when_divided)?;
    if x1.is_empty() {
        return Ok(Plan::empty());
    }
    let eps = call.float("epsilon")?;
    let mut planner = Planner::new();
    let inputs = [planner.rows(x1, len)?, planner.rows(x2, len)?, planner.all(Some(gamma), count)?];
    let outputs =
        [planner.out(y1, len)?, planner.out(y2, len)?, planner.out(rstd, 1)?, planner.out(total, len)?];
    planner.lanes(
        count,
        inputs,
        outputs,
        "norm of a sum",
        move |[x1, x2, gamma], [y1, y2, rstd, total]| {
            let inverse = add_and_normalise([x1, x2, gamma], eps, [&mut *y1, total]);
            y2.copy_from_slice(y1);
            store(rstd, inverse);
        },
    )?;
    Ok(planner.plan())
}
