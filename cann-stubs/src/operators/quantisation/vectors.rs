//! Scales of rows, columns and groups that are given, and matrices between two others.

use aclnn_numerics::DType::{BF16, F16, F32, I8, I32, I64};
use cann_kernels::axis::quantisation::{
    Rotated, dequantise, dequantise_sums, quantise_between, quantise_by_rows,
};

use super::rows::{FLOATS, Rows, codes, given_as, has_number, one_of, shape_of_codes};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes, when_divided};
use crate::operators::lane_planner::{Planner, ints, ints_mut};
use crate::operators::signatures;
use crate::status::Result;

pub(super) fn dequant_bias(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "weightScale", "out"])?;
    let [x, columns, out] = &tensors;
    let rows = call.optional_tensor("activateScaleOptional")?;
    let bias = call.optional_tensor("biasOptional")?;
    let own = check::dtype(x, signatures::dequant_bias.takes)?;
    let to = output_of(signatures::dequant_bias.output, own, own, out)?;
    one_of(columns, &[if to == F16 { F32 } else { BF16 }])?;
    given_as(rows.as_ref(), &[F32])?;
    let of_bias = given_as(bias.as_ref(), &[F32, F16, BF16, I32])?;
    has_number(call, "outputDtype", out, to).map_err(when_divided)?;
    let checked = || -> Result<[usize; 2]> {
        let [m, n] = sizes(x)?;
        has_shape(columns, &[n])?;
        check::have_shape(rows.as_slice(), &[m])?;
        check::have_shape(bias.as_slice(), &[n])?;
        check::output_shape(out, x.shape()?)?;
        Ok([m, n])
    };
    let [m, n] = checked().map_err(when_divided)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let is_whole = of_bias == Some(I32);
    let mut planner = Planner::new();
    let bias = planner.all(bias.as_ref(), m)?.map(|lanes| if is_whole { lanes.whole() } else { lanes });
    let inputs = [
        planner.numbers(x, n)?,
        planner.all(Some(columns), m)?,
        planner.read_if(rows.as_ref(), 1, &Operand::in_order)?,
        bias,
    ];
    let out = planner.out(out, n)?;
    planner.lanes(m, inputs, [out], "dequantise", move |[x, columns, row, bias], [out]| {
        let [whole, bias] = if is_whole { [bias, &[]] } else { [&[], bias] };
        let row = row.first().copied().unwrap_or(1.0);
        dequantise_sums((ints(x), ints(whole)), columns, bias, [row, 1.0], out);
    })?;
    Ok(planner.plan())
}

pub(super) fn ascend_anti_quant(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "scale", "y"])?;
    let ([x, scale, y], offset) = (&tensors, call.optional_tensor("offset")?);
    let own = check::dtype(x, signatures::ascend_anti_quant.takes)?;
    let to = output_of(signatures::ascend_anti_quant.output, own, own, y)?;
    let of_scale = one_of(scale, &FLOATS)?;
    given_as(offset.as_ref(), &[of_scale])?;
    has_number(call, "dstType", y, to)?;
    check::rank(x)?;
    let shape = x.shape()?;
    let Some(len) = shape.last().copied() else { return invalid("x has no axes") };
    for operand in [Some(*scale), offset].iter().flatten() {
        if !matches!(operand.shape()?[..], [count] if count == 1 || count == len) {
            return invalid(format_args!(
                "{} has shape {}, but must have one element, or {len}",
                operand.name,
                operand.shape()?
            ));
        }
    }
    check::output_shape(y, shape)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let (count, is_squared) = (shape.numel().unwrap_or(0) / len, call.flag("sqrtMode")?);
    let mut planner = Planner::new();
    let inputs =
        [planner.rows(x, len)?, planner.all(Some(scale), count)?, planner.all(offset.as_ref(), count)?];
    let out = planner.out(y, len)?;
    planner.lanes(count, inputs, [out], "dequantise", move |[x, scale, offset], [out]| {
        dequantise(x, [scale, offset], is_squared, out);
    })?;
    Ok(planner.plan())
}

pub(super) fn group_quant(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "scale", "groupIndex", "y"])?;
    let ([x, scale, ends, y], offset) = (&tensors, call.optional_tensor("offsetOptional")?);
    check::dtype(x, signatures::group_quant.takes)?;
    one_of(scale, &FLOATS)?;
    one_of(ends, &[I32, I64])?;
    given_as(offset.as_ref(), &FLOATS)?;
    check::exactly(y, I8)?;
    let number = call.int("dstType")?;
    if number != 2 {
        return invalid(format_args!("dstType is {number}, but must be 2, since y is {I8}"));
    }
    let ([count, len], [groups]) = (sizes(x)?, sizes(ends)?);
    has_shape(scale, &[groups, len])?;
    check::have_elements(&[offset.as_ref()], 1)?;
    check::output_shape(y, x.shape()?)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let (mut planner, all) = (Planner::new(), count.saturating_mul(len));
    let inputs = [
        planner.rows(x, all)?,
        planner.rows(scale, groups.saturating_mul(len))?,
        planner.numbers(ends, groups)?,
        planner.read_if(offset.as_ref(), 1, &Operand::in_order)?,
    ];
    let out = planner.out(y, all)?;
    planner.lanes(1, inputs, [out], "quantise groups", move |[x, scale, ends, offset], [out]| {
        let offset = offset.first().copied().unwrap_or(0.0);
        quantise_by_rows((x, len), (scale, offset), ints(ends), out);
    })?;
    Ok(planner.plan())
}

/// Numbers of four bits in an element of i32.
const HELD: usize = 8;

pub(super) fn flat_quant(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "kroneckerP1", "kroneckerP2"])?;
    let ([x, first, second], outputs) = (&tensors, call.tensors_of(["out", "quantScale"])?);
    let [out, scales] = &outputs;
    let own = check::alike(&[x, first, second], signatures::flat_quant.takes)?;
    let to = output_of(signatures::flat_quant.output, own, own, out)?;
    check::exactly(scales, F32)?;
    let [count, rows, columns] = sizes(x)?;
    has_shape(first, &[rows, rows])?;
    has_shape(second, &[columns, columns])?;
    shape_of_codes(out, to, x.shape()?)?;
    check::output_shape(scales, &[count])?;
    let ratio = call.float("clipRatio")?;
    if !(ratio > 0.0 && ratio <= 1.0) {
        return invalid(format_args!("clipRatio is {ratio}, but must be above 0, and at most 1"));
    }
    let has_groups = call.has("groupListOptional") && call.optional_tensor("groupListOptional")?.is_some();
    if has_groups || call.has("dstTypeMax") && call.float("dstTypeMax")? != 0.0 {
        return check::not_emulated("matrices that are quantised by groups, or to short floats");
    }
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    if to != I32 {
        return check::not_emulated("matrices that are quantised to i4 here; i32 holds eight of them");
    }
    let (mut planner, matrix) = (Planner::new(), rows.saturating_mul(columns));
    let inputs =
        [planner.rows(x, matrix)?, planner.all(Some(first), count)?, planner.all(Some(second), count)?];
    let outputs = [planner.out(out, matrix / HELD)?.map(|lanes| lanes.whole()), planner.out(scales, 1)?];
    let step = "quantise matrices";
    planner.try_lanes(count, inputs, outputs, step, move |[x, first, second], [out, scale]| {
        scale.fill(quantise_between(x, [first, second], columns, ratio as f32, ints_mut(out))?);
        Ok(())
    })?;
    Ok(planner.plan())
}

pub(super) fn rotate_quant(call: &Call<'_>) -> Result<Plan> {
    let (tensors, outputs) = (call.tensors_of(["x", "rotation"])?, call.tensors_of(["yOut", "scaleOut"])?);
    let ([x, rotation], [y, scales]) = (&tensors, &outputs);
    let own = check::alike(&[x, rotation], signatures::rotate_quant.takes)?;
    let to = output_of(signatures::rotate_quant.output, own, own, y)?;
    check::exactly(scales, F32)?;
    if call.optional_tensor("alpha")?.is_some() {
        return check::not_emulated("rotated rows with alpha, which must be null or empty");
    }
    let round = call.optional_text("roundMode")?.unwrap_or_else(|| "rint".to_owned());
    if round != "rint" || call.int("scaleAlg")? != 0 {
        return check::not_emulated("rotated rows in ways other than roundMode \"rint\" and scaleAlg 0");
    }
    let shape = x.shape()?;
    let Some((len, outer)) = shape.split_last() else { return invalid("x has no axes") };
    let axis = call.int("axis")?;
    if axis != -1 && axis != outer.len() as i64 {
        return invalid(format_args!("axis is {axis}, but must be the last one"));
    }
    let [size, columns] = sizes(rotation)?;
    if size != columns || size == 0 || len % size != 0 {
        return invalid(format_args!(
            "rotation has shape {}, but must be square, and divide the {len} elements of a row",
            rotation.shape()?
        ));
    }
    shape_of_codes(y, to, shape)?;
    check::output_shape(scales, outer)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let mut rows = Rows::new(outer.iter().product());
    rows.each(x, [own, F32])?;
    rows.all(rotation, [own, F32])?;
    rows.write(y, [to, to])?;
    rows.write(scales, [F32, F32])?;
    rows.plan(Rotated { codes: codes(to)?, size, is_transposed: call.flag("trans")? }.rows())
}
