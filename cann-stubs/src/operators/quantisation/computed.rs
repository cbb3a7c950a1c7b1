//! Results that are quantised as they are computed, on the 950.

use aclnn_numerics::DType::{self, F32, I8, I32, I64};
use aclnn_numerics::layout::Shape;
use cann_kernels::axis::quantisation::{
    Held, PartsInBlocks, Scaling, quantise_by_parts, quantise_gelu, quantise_rms_norm,
    quantise_rms_norm_gradients,
};

use super::rows::{FLOATS, codes, given_as, has_number};
use crate::operators::axes::{filled, invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes, when_divided};
use crate::operators::lane_planner::{Lanes, Planner, longs};
use crate::operators::signatures;
use crate::operators::stage_planner::within;
use crate::status::Result;

/// The numbers that a type of quantised elements holds.
fn held(to: DType) -> Result<Held> {
    Ok(Held::of(&codes(to)?))
}

/// Checks factors of the elements of a row, or of all of them.
fn of_row(operand: Option<&Operand>, len: usize) -> Result {
    let Some(operand) = operand else { return Ok(()) };
    match operand.shape()?.numel() {
        Some(1) => Ok(()),
        _ => has_shape(operand, &[len]),
    }
}

/// The elements of a row, and how many rows there are.
fn rows(x: &Operand) -> Result<[usize; 2]> {
    check::rank(x)?;
    let Some((len, outer)) = x.shape()?.split_last() else {
        return invalid(format_args!("{} has no axes", x.name));
    };
    Ok([*len, outer.iter().product()])
}

pub(super) fn rms_norm_quant_v3(call: &Call<'_>) -> Result<Plan> {
    let [x, gamma, scale, y] = &call.tensors_of(["x", "gamma", "scale", "y"])?;
    let (offset, beta) = (call.optional_tensor("offset")?, call.optional_tensor("beta")?);
    let root = if call.flag("outputRstd")? { Some(call.tensor("rstd")?) } else { None };
    let signature = &signatures::rms_norm_quant_v3;
    let own = check::dtype(x, signature.takes)?;
    let to = output_of(signature.output, own, own, y)?;
    let of_gamma = given_as(Some(gamma), &[own, F32])?.unwrap_or(own);
    given_as(beta.as_ref(), &[of_gamma])?;
    given_as(Some(scale), &FLOATS)?;
    given_as(offset.as_ref(), &[F32, own, I8, I32])?;
    given_as(root.as_ref(), &[F32])?;
    let [len, count] = rows(x)?;
    check::have_shape(&[Some(gamma), beta.as_ref()], &[len])?;
    of_row(Some(scale), len)?;
    of_row(offset.as_ref(), len)?;
    check::output_shape(y, x.shape()?)?;
    check::have_elements(&[root.as_ref()], count)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let (held, divides, epsilon) = (held(to)?, call.flag("divMode")?, call.float("epsilon")?);
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(x, len)?,
        planner.all(Some(gamma), count)?,
        planner.all(beta.as_ref(), count)?,
        planner.all(Some(scale), count)?,
        planner.all(offset.as_ref(), count)?,
    ];
    let outputs = [planner.out(y, len)?, planner.write_if(root.as_ref(), 1, &Operand::in_order)?];
    let step = "normalise and quantise rows";
    planner.lanes(count, inputs, outputs, step, move |[x, gamma, beta, scale, offset], [y, root_out]| {
        let scaling = Scaling { scales: scale, offsets: offset, divides };
        root_out.fill(quantise_rms_norm(x, [gamma, beta], epsilon, (scaling, held), y));
    })?;
    Ok(planner.plan())
}

pub(super) fn rms_norm_grad_quant(call: &Call<'_>) -> Result<Plan> {
    let [dy, x, gamma, scale, dx] = &call.tensors_of(["dy", "x", "gamma", "scalesX", "dxOut"])?;
    let [root, of_gamma] = &call.tensors_of(["rstd", "dgammaOut"])?;
    let offset = call.optional_tensor("offsetXOptional")?;
    let mode = call.text("quantMode")?;
    let signature = &signatures::rms_norm_grad_quant;
    let own = check::alike(&[dy, x], signature.takes)?;
    let to = output_of(signature.output, own, own, dx)?;
    given_as(Some(gamma), &[own, F32])?;
    given_as(Some(scale), &FLOATS)?;
    given_as(offset.as_ref(), &[F32, own, I8, I32])?;
    check::exactly(root, F32)?;
    check::exactly(of_gamma, F32)?;
    if mode != "static" {
        return invalid(format_args!("quantMode is \"{mode}\", but must be \"static\""));
    }
    let [len, count] = rows(x)?;
    has_shape(dy, x.shape()?)?;
    has_shape(gamma, &[len])?;
    of_row(Some(scale), len)?;
    of_row(offset.as_ref(), len)?;
    check::have_elements(&[Some(root)], count)?;
    check::output_shape(dx, x.shape()?)?;
    check::output_shape(of_gamma, gamma.shape()?)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let (held, divides) = (held(to)?, call.flag("divMode")?);
    let mut planner = Planner::new();
    let mut inputs = [None; 6];
    let given = [Some(dy), Some(x), Some(root), Some(gamma), Some(scale), offset.as_ref()];
    for (input, operand) in inputs.iter_mut().zip(given) {
        *input = planner.all(operand, 1)?;
    }
    let outputs = [planner.out(dx, len.saturating_mul(count))?, planner.out(of_gamma, len)?];
    planner.lanes(1, inputs, outputs, "gradients of rows", move |inputs, outputs| {
        let [dy, x, root, gamma, scale, offset] = inputs;
        let scaling = Scaling { scales: scale, offsets: offset, divides };
        quantise_rms_norm_gradients([dy, x, root, gamma], (scaling, held), outputs);
    })?;
    Ok(planner.plan())
}

pub(super) fn gelu_quant(call: &Call<'_>) -> Result<Plan> {
    let [x, y] = &call.tensors_of(["self", "y"])?;
    let scale = call.optional_tensor("inputScaleOptional")?;
    let offset = call.optional_tensor("inputOffsetOptional")?;
    let is_dynamic = match call.text("quantMode")?.as_str() {
        "static" => false,
        "dynamic" => true,
        other => {
            return invalid(format_args!("quantMode is \"{other}\", but must be \"static\" or \"dynamic\""));
        }
    };
    let steps = if is_dynamic { Some(call.tensor("outScaleOptional")?) } else { None };
    let by_tanh = match call.text("approximate")?.as_str() {
        "none" => false,
        "tanh" => true,
        other => {
            return invalid(format_args!("approximate is \"{other}\", but must be \"none\" or \"tanh\""));
        }
    };
    let signature = &signatures::gelu_quant;
    let own = check::dtype(x, signature.takes)?;
    let to = output_of(signature.output, own, own, y)?;
    given_as(scale.as_ref(), &[own, F32])?;
    given_as(offset.as_ref(), &[own, F32])?;
    given_as(steps.as_ref(), &[F32])?;
    let mode = call.text("roundMode")?;
    if mode != "rint" || (scale.is_none() && !is_dynamic) {
        return invalid(format_args!(
            "roundMode is \"{mode}\", but must be \"rint\"; and numbers that are not dynamic have a scale"
        ));
    }
    has_number(call, "dstType", y, to)?;
    let [len, count] = rows(x)?;
    of_row(scale.as_ref(), len)?;
    of_row(offset.as_ref(), len)?;
    check::output_shape(y, x.shape()?)?;
    check::have_elements(&[steps.as_ref()], count)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let held = held(to)?;
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(x, len)?,
        planner.all(scale.as_ref(), count)?,
        planner.all(offset.as_ref().filter(|_| !is_dynamic), count)?,
    ];
    let outputs = [planner.out(y, len)?, planner.write_if(steps.as_ref(), 1, &Operand::in_order)?];
    planner.try_lanes(
        count,
        inputs,
        outputs,
        "quantise rows",
        move |[x, scale, offset], [y, step_out]| {
            step_out.fill(quantise_gelu(x, by_tanh, [scale, offset], is_dynamic, held, y)?);
            Ok(())
        },
    )?;
    Ok(planner.plan())
}

/// Rows of parts, each of which has a scale; without parts all rows have one.
pub(super) fn quant_max(call: &Call<'_>) -> Result<Plan> {
    let [x, scale, y, most] = &call.tensors_of(["x", "scale", "y", "amax"])?;
    let ends = if call.has("groupList") { Some(call.tensor("groupList")?) } else { None };
    let signature = &signatures::quant_max;
    let own = check::dtype(x, signature.takes)?;
    let to = output_of(signature.output, own, own, y)?;
    check::exactly(scale, F32)?;
    given_as(Some(most), &[own, F32])?;
    given_as(ends.as_ref(), &[I64, I32])?;
    let mode = call.optional_text("roundMode")?;
    if mode.as_deref().unwrap_or("rint") != "rint" {
        return invalid(format_args!("roundMode must be \"rint\" for {to}"));
    }
    has_number(call, "dstType", y, to)?;
    check::rank(x)?;
    let parts = match &ends {
        Some(ends) => sizes::<1>(ends)?[0],
        None => 1,
    };
    check::have_elements(&[Some(scale), Some(most)], parts)?;
    check::output_shape(y, x.shape()?)?;
    if x.is_empty() || parts == 0 {
        return filled(&[(y, to), (most, check::any_dtype(most)?)], 0.0);
    }
    let (shape, held, has_parts) = (x.shape()?, held(to)?, ends.is_some());
    let (all, count) = (shape.numel().unwrap_or(0), shape.first().copied().unwrap_or(1));
    let mut planner = Planner::new();
    let ends = planner.all(ends.as_ref(), 1)?.map(Lanes::long);
    let inputs = [planner.all(Some(x), 1)?, planner.rows(scale, parts)?, ends];
    let outputs = [planner.out(y, all)?, planner.out(most, parts)?];
    planner.lanes(1, inputs, outputs, "quantise groups", move |[x, scale, ends], outputs| {
        let ends = Some(longs(ends)).filter(|_| has_parts);
        quantise_by_parts((x, all / count), scale, ends, held, outputs);
    })?;
    Ok(planner.plan())
}

pub(super) fn grouped_dynamic_block_quant(call: &Call<'_>) -> Result<Plan> {
    let [x, list, y, scales] = &call.tensors_of(["x", "groupList", "yOut", "scaleOut"])?;
    let signature = &signatures::grouped_dynamic_block_quant;
    let own = check::dtype(x, signature.takes)?;
    let to = output_of(signature.output, own, own, y)?;
    given_as(Some(list), &[I64, I32])?;
    check::exactly(scales, F32)?;
    let mode = call.optional_text("roundModeOptional")?;
    let checked = || -> Result<[usize; 5]> {
        let ([height, width], [parts]) = (sizes(x)?, sizes(list)?);
        let down = within("rowBlockSize", call.int("rowBlockSize")?, 1..=512)?;
        let across = within("colBlockSize", call.int("colBlockSize")?, 1..=512)?;
        within("groupListType", call.int("groupListType")?, 0..=1)?;
        has_number(call, "dstType", y, to)?;
        if mode.as_deref().unwrap_or("rint") != "rint" {
            return invalid(format_args!("roundMode must be \"rint\" for {to}"));
        }
        check::output_shape(y, x.shape()?)?;
        let blocks = [(height / down).saturating_add(parts), width.div_ceil(across)];
        check::output_shape(scales, &Shape::from(blocks))?;
        Ok([height, width, down, across, blocks[0]])
    };
    let [height, width, down, across, blocks] = checked().map_err(when_divided)?;
    let least = call.float("minScale")?;
    if call.has("dstTypeMax") && call.float("dstTypeMax")? != 0.0 {
        return check::not_emulated("blocks with scales of another largest number");
    }
    if x.is_empty() || scales.is_empty() {
        return filled(&[(y, to), (scales, F32)], 0.0);
    }
    let are_counts = call.int("groupListType")? == 1;
    let parts =
        PartsInBlocks { matrix: [height, width], block: [down, across], are_counts, least, held: held(to)? };
    let mut planner = Planner::new();
    let inputs = [planner.all(Some(x), 1)?, planner.all(Some(list), 1)?.map(Lanes::long)];
    let wide = width.div_ceil(across);
    let outputs = [planner.out(y, height.saturating_mul(width))?, planner.out(scales, blocks * wide)?];
    planner.lanes(1, inputs, outputs, "quantise blocks", move |[x, list], [y, scales]| {
        parts.quantise(x, longs(list), y, scales);
    })?;
    Ok(planner.plan())
}
