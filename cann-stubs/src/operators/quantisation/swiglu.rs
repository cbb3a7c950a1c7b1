//! Gated linear units, quantised. Only `ClippedSwiglu` is not.

use aclnn_numerics::DType::{self, BF16, F16, F32, I8, I32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::Ascend950;
use cann_kernels::axis::quantisation::{
    Dequantised, Form, Gate, Groups, Listed, Quantised, Scheme, Swiglu, Table, units,
};

use super::rows::{Rows, codes, given_as, one_of, shape_of_codes};
use crate::operators::axes::{axis_in, halved, invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, untiled, when_divided};
use crate::operators::signatures;
use crate::settings;
use crate::status::Result;

/// The last axis of an operand, and the number of rows before it.
fn rows_of(x: &Operand) -> Result<[usize; 2]> {
    let shape = x.shape()?;
    let [outer @ .., last] = &shape[..] else { return untiled("x has no axes") };
    if outer.is_empty() || last % 2 != 0 {
        return untiled(format_args!(
            "x has shape {shape}, but must have two axes or more, the last one even"
        ));
    }
    Ok([outer.iter().product(), *last])
}

/// The shapes of codes and scales for rows of half the length.
fn check_outputs(x: &Operand, [y, scale]: [&Operand; 2], to: DType) -> Result {
    let shape = x.shape()?;
    let outer = &shape[..shape.rank().saturating_sub(1)];
    let half = shape.last().copied().unwrap_or(0) / 2;
    let halves = Shape::from([outer, &[half]].concat());
    shape_of_codes(y, to, &halves)?;
    check::output_shape(scale, outer)
}

/// The mode of an attribute: of a text that may be missing.
fn is_dynamic(call: &Call<'_>, unless_given: bool, takes_any_case: bool) -> Result<bool> {
    let Some(mode) = call.optional_text("quantModeOptional")? else { return Ok(unless_given) };
    let lower = if takes_any_case { mode.to_lowercase() } else { mode.clone() };
    match lower.as_str() {
        "dynamic" => Ok(true),
        "static" => Ok(false),
        "dynamic_msd" if call.info.function() == "swi_glu_quant" => Ok(false),
        _ => untiled(format_args!("quantMode is \"{mode}\", but must be \"static\" or \"dynamic\"")),
    }
}

/// An operand with `width` numbers for each group.
fn table<'a>(
    rows: &mut Rows<'a>,
    operand: Option<&'a Operand>,
    dtype: Option<DType>,
    width: usize,
) -> Result<Option<Table>> {
    match (operand, dtype) {
        (Some(operand), Some(dtype)) => Ok(Some(Table { input: rows.all(operand, [dtype, F32])?, width })),
        _ => Ok(None),
    }
}

/// The gate of a call.
pub(super) fn gate(call: &Call<'_>) -> Result<Gate> {
    let is_left = call.flag("activateLeft")?;
    if !call.has("swigluMode") {
        return Ok(Gate { is_left, is_interleaved: false, form: Form::Plain });
    }
    let (limit, alpha) = (call.float("clampLimit")? as f32, call.float("gluAlpha")? as f32);
    let bias = call.float("gluBias")? as f32;
    let clipped = Form::Clipped { limit, alpha, bias };
    let (is_interleaved, form) = match call.int("swigluMode")? {
        0 => (false, Form::Plain),
        1 => (true, clipped),
        2 => (false, clipped),
        3 => (false, Form::ClippedProduct { limit }),
        other => return untiled(format_args!("swigluMode is {other}, but must be from 0 to 3")),
    };
    Ok(Gate { is_left, is_interleaved, form })
}

/// Refuses attributes that count on the 950 alone, and are not what other products do.
fn check_attributes_of_950(call: &Call<'_>, rank: usize) -> Result {
    if !call.has("activateDim") || settings::get().product != Ascend950 {
        return Ok(());
    }
    let is_last = [-1, rank as i64 - 1].contains(&call.int("activateDim")?);
    let mode = call.optional_text("roundModeOptional")?;
    if is_last && call.int("dstType")? == 2 && mode.as_deref().unwrap_or("rint") == "rint" {
        return Ok(());
    }
    check::not_emulated("units in another form than i8, by the last axis, with the rounding \"rint\"")
}

/// Whether an operand has `width` numbers for each group: without a list of groups in any shape, with one in rows of a matrix, or
/// on one axis.
fn has_table(operand: &Operand, groups: Option<usize>, width: usize) -> Result<bool> {
    let shape = operand.shape()?;
    Ok(match (groups, &shape[..]) {
        (None, _) => shape.numel() == Some(width),
        (Some(groups), [first, last]) => *first == groups && *last == width && width > 1,
        (Some(groups), [only]) => *only == width && groups == 1 || *only == groups && width == 1,
        _ => false,
    })
}

pub(super) fn dequant_swiglu_quant(call: &Call<'_>) -> Result<Plan> {
    let (x, y, scale) = (call.tensor("x")?, call.tensor("yOut")?, call.tensor("scaleOut")?);
    let optional = |name| call.optional_tensor(name);
    let (weight, activation) = (optional("weightScaleOptional")?, optional("activationScaleOptional")?);
    let (bias, list) = (optional("biasOptional")?, optional("groupIndexOptional")?);
    let (step, offset) = (optional("quantScaleOptional")?, optional("quantOffsetOptional")?);
    let signature = &signatures::dequant_swiglu_quant;
    let own = check::dtype(&x, signature.takes)?;
    let to = output_of(signature.output, own, own, &y)?;
    let of_bias = given_as(bias.as_ref(), if own == I32 { &[F32, F16, BF16, I32] } else { &[F32] })?;
    check::all_exactly(&[Some(scale), weight, activation, step, offset], F32)?;
    given_as(list.as_ref(), &[I64])?;

    let [count, len] = rows_of(&x)?;
    let half = len / 2;
    let is_dynamic = is_dynamic(call, false, list.is_none())?;
    let gate = gate(call)?;
    check_attributes_of_950(call, x.rank())?;
    let (is_whole, has_bias) = (own == I32, bias.is_some());
    let [weight, activation, bias] = if is_whole { [weight, activation, bias] } else { [None; 3] };
    if is_whole && weight.is_none() {
        return untiled("weightScale is null, but x is i32");
    }
    let (groups, is_paired) = match list.as_ref().map(Operand::shape).transpose()?.map(|shape| &shape[..]) {
        None => (1, false),
        Some([groups]) => (*groups, false),
        Some([groups, 2]) if !has_bias => (*groups, true),
        _ => return untiled("groupIndex must have one axis, or [groups, 2] where no bias is given"),
    };
    if list.is_some() {
        if own == F16 || len % 64 != 0 {
            return untiled("with groupIndex x must be i32 or bf16, and its last axis a multiple of 64");
        }
        if is_dynamic && offset.is_some() || !is_dynamic && (step.is_none() || offset.is_none()) {
            return untiled(
                "with groupIndex \"static\" needs quantScale and quantOffset, and \"dynamic\" takes no quantOffset",
            );
        }
    } else if !is_dynamic && step.is_some() && offset.is_none() {
        return untiled("quantScale needs quantOffset in \"static\"");
    }
    let offset = offset.filter(|_| !is_dynamic && step.is_some());
    // With a list, static quantisation has one number for a group in both operands or in none; without one, any of them may have
    // one number.
    let width = |operand: &Option<Operand>| match operand.as_ref().map_or(half, Operand::count) {
        count if list.is_some() && !is_dynamic && count == groups => 1,
        1 if list.is_none() => 1,
        _ => half,
    };
    let of_step = width(&step);
    let of_offset = if list.is_some() { of_step } else { width(&offset) };
    let wanted = [(&weight, len), (&bias, len), (&step, of_step), (&offset, of_offset)];
    for (operand, width) in wanted {
        let Some(operand) = operand else { continue };
        if !has_table(operand, list.as_ref().map(|_| groups), width)? {
            return untiled(format_args!(
                "{} has shape {}, but {groups} groups need {width} numbers each",
                operand.name,
                operand.shape()?
            ));
        }
    }
    if activation.as_ref().is_some_and(|activation| activation.count() != count) {
        return untiled(format_args!("activationScale must have a number for each of {count} rows"));
    }
    // Without a list no shape of outputs is looked at; here those must hold what is written.
    let holds = |output: &Operand, wanted: usize| output.count() == wanted;
    if list.is_some() || !holds(&y, count * half) || is_dynamic && !holds(&scale, count) {
        check_outputs(&x, [&y, &scale], to).map_err(when_divided)?;
    }
    if count * len == 0 {
        return Ok(Plan::empty());
    }

    let mut rows = Rows::new(count);
    rows.each(&x, [own, if is_whole { I32 } else { F32 }])?;
    let mut dequantised = None;
    if is_whole {
        let columns = table(&mut rows, weight.as_ref(), Some(F32), len)?;
        let row = activation.as_ref().map(|activation| rows.each(activation, [F32, F32]));
        let row = row.transpose()?;
        let is_whole_bias = of_bias == Some(I32);
        let whole_bias = match bias.as_ref().filter(|_| is_whole_bias) {
            Some(bias) => Some(rows.all(bias, [I32, I32])?),
            None => None,
        };
        let bias = table(&mut rows, bias.as_ref().filter(|_| !is_whole_bias), of_bias, len)?;
        dequantised = Some(Dequantised { columns, row, whole_bias, bias });
    }
    let step = table(&mut rows, step.as_ref(), Some(F32), of_step)?;
    let offset = table(&mut rows, offset.as_ref(), Some(F32), of_offset)?;
    let listed = if is_paired { Listed::Pairs } else { Listed::Counts };
    let of_list = list.as_ref().map(|list| rows.all(list, [I64, I64])).transpose()?;
    let groups_of = of_list.map(|input| Groups { input, listed });
    let quantised = match is_dynamic {
        true if list.is_some() => Quantised::Dynamic(step, Scheme::ProductDivides),
        true => Quantised::Dynamic(step, Scheme::Quotient),
        false => Quantised::Divided(step.zip(offset).map(<[Table; 2]>::from)),
    };
    rows.write(&y, [to, to])?;
    if is_dynamic {
        rows.write(&scale, [F32, F32])?;
    }
    let ends_at = list.as_ref().map(Operand::count);
    rows.plan(Swiglu { dequantised, gate, groups: groups_of, ends_at, quantised, codes: codes(to)? }.rows())
}

pub(super) fn swi_glu_quant(call: &Call<'_>) -> Result<Plan> {
    let (x, y, scale) = (call.tensor("x")?, call.tensor("yOut")?, call.tensor("scaleOut")?);
    let smooth = call.optional_tensor("smoothScalesOptional")?;
    let offsets = call.optional_tensor("offsetsOptional")?;
    let list = call.optional_tensor("groupIndexOptional")?;
    let signature = &signatures::swi_glu_quant;
    let own = check::dtype(&x, signature.takes)?;
    let to = output_of(signature.output, own, own, &y)?;
    check::all_exactly(&[Some(scale), smooth, offsets], F32)?;
    given_as(list.as_ref(), &[I32])?;
    if to != I8 && !call.has("dstType") {
        return invalid(format_args!("yOut is {to}, but must be i8"));
    }
    let [count, len] = rows_of(&x)?;
    let half = len / 2;
    let is_dynamic = is_dynamic(call, true, false)?;
    let offsets = offsets.filter(|_| !is_dynamic);
    let groups = match list.as_ref().map(Operand::shape).transpose()?.map(|shape| &shape[..]) {
        None => 1,
        Some([groups]) => *groups,
        Some(_) => return untiled("groupIndex must have one axis"),
    };
    let listed = match if call.has("groupListType") { call.int("groupListType")? } else { 0 } {
        0 => Listed::Ends,
        1 => Listed::Counts,
        other => return untiled(format_args!("groupListType is {other}, but must be 0 or 1")),
    };
    let mut found = None;
    for operand in [smooth, offsets].iter().flatten() {
        let width = match &operand.shape()?[..] {
            [first, last] if *first == groups && *last == half => half,
            [one] if *one == half && groups == 1 => half,
            [first] if *first == groups && !is_dynamic => 1,
            sizes => {
                return untiled(format_args!(
                    "{} has shape {sizes:?}, but must be [{groups}, {half}], or [{groups}] in \"static\"",
                    operand.name
                ));
            }
        };
        if *found.get_or_insert(width) != width {
            return untiled("smoothScales and offsets must have the same shape");
        }
    }
    let width = found.unwrap_or(half);
    check_outputs(&x, [&y, &scale], to).map_err(when_divided)?;
    if count * len == 0 {
        return Ok(Plan::empty());
    }

    let mut rows = Rows::new(count);
    rows.each(&x, [own, F32])?;
    let smooth = table(&mut rows, smooth.as_ref(), Some(F32), width)?;
    let offsets = table(&mut rows, offsets.as_ref(), Some(F32), width)?;
    let input = list.as_ref().map(|list| rows.all(list, [I32, I64])).transpose()?;
    let quantised = match is_dynamic {
        true => Quantised::Dynamic(smooth, Scheme::Factor),
        false => Quantised::Multiplied(smooth, offsets),
    };
    rows.write(&y, [to, to])?;
    rows.write(&scale, [F32, F32])?;
    let groups = input.map(|input| Groups { input, listed });
    let gate = gate(call)?;
    // Rows behind the last group are computed as well, without its numbers.
    let body = Swiglu { dequantised: None, gate, groups, ends_at: None, quantised, codes: codes(to)? };
    rows.plan(body.rows())
}

pub(super) fn clipped_swiglu(call: &Call<'_>) -> Result<Plan> {
    let (x, out) = (call.tensor("x")?, call.tensor("out")?);
    let list = call.optional_tensor("groupIndexOptional")?;
    let own = check::alike(&[&x, &out], signatures::clipped_swiglu.takes)?;
    given_as(list.as_ref(), &[I64])?;
    let shape = x.shape()?;
    let dim = axis_in("dim", call.int("dim")?, shape.rank()).map_err(when_divided)?;
    let limit = call.float("limit")? as f32;
    let half = halved(&x, dim).map_err(when_divided)?;
    check::output_shape(&out, &half).map_err(when_divided)?;
    if let Some(list) = list.as_ref().filter(|list| list.rank() != 1) {
        return untiled(format_args!("groupIndex has {} axes, but must have one", list.rank()));
    }
    if settings::get().product == Ascend950 && limit <= 0.0 {
        return untiled(format_args!("limit is {limit}, but must be above 0"));
    }
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut rows = Rows::new(shape[..dim].iter().product());
    rows.each(&x, [own, F32])?;
    let groups = match &list {
        Some(list) => {
            let input = rows.all(list, [one_of(list, &[I64])?, I64])?;
            Some((Groups { input, listed: Listed::Counts }, list.shape()?.numel().unwrap_or(0)))
        }
        None => None,
    };
    rows.write(&out, [F32, own])?;
    let (alpha, bias) = (call.float("alpha")? as f32, call.float("bias")? as f32);
    let form = Form::Clipped { limit, alpha, bias };
    rows.plan(units(Gate { is_left: true, is_interleaved: call.flag("interleaved")?, form }, groups))
}
