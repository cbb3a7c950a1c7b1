//! Groups of neighbours that share a power of two.

use aclnn_numerics::DType::{self, F4E1M2, F4E2M1, F8E4M3FN, F8E5M2, F8E8M0, F32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::signature::Output;
use cann_kernels::LaneFunction;
use cann_kernels::axis::normalization::rms_norm_of_sum;
use cann_kernels::axis::quantisation::{
    Numbers, Power, scale_by_powers, shared_powers, shared_powers_of_blocks, shared_powers_of_parts,
};

use super::rows::{FLOATS, Rows, codes, given_as, has_number};
use super::sources::Source;
use super::swiglu::gate;
use crate::mapped::mapped;
use crate::operators::axes::{axis_in, filled, invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, sizes};
use crate::operators::signatures;
use crate::status::Result;

/// Sizes of groups are multiples of this one, up to the largest.
const STEP: usize = 32;
const LARGEST: usize = 1024;

/// Reads how many neighbours are a group.
fn group_of(call: &Call<'_>) -> Result<usize> {
    let size = call.int("blocksize")?;
    let group = usize::try_from(size)
        .ok()
        .filter(|size| (STEP..=LARGEST).contains(size) && size.is_multiple_of(STEP));
    group.map_or_else(
        || invalid(format_args!("blocksize is {size}, but must be a multiple of {STEP}, up to {LARGEST}")),
        Ok,
    )
}

/// Reads which power a group of short floats shares.
fn power_of(call: &Call<'_>, to: DType) -> Result<Power> {
    let mode = match call.has("roundMode") {
        true => call.optional_text("roundMode")?,
        false => call.optional_text("roundModeOptional")?,
    };
    let is_short = matches!(to, F4E2M1 | F4E1M2);
    if !is_short && mode.as_deref().unwrap_or("rint") != "rint" {
        return invalid(format_args!("roundMode must be \"rint\" for {to}"));
    }
    let algorithm = if call.has("scaleAlg") { call.int("scaleAlg")? } else { 0 };
    let power = match (algorithm, to) {
        (0, F8E5M2) => Power::Lower(15),
        (0, F8E4M3FN) => Power::Lower(8),
        (1, F8E5M2 | F8E4M3FN) => Power::Upper,
        (0, _) => return check::not_emulated("groups of floats of four bits that share a power of two"),
        (other, _) => return invalid(format_args!("scaleAlg is {other}, which {to} does not have")),
    };
    for name in ["dstTypeMax", "maxLowBound", "maxDtypeValue"] {
        if call.has(name) && call.float(name)? != 0.0 {
            return check::not_emulated("groups that share a power of two within other limits");
        }
    }
    Ok(power)
}

/// Checks the shape of the powers of groups along an axis, of which two stand side by side at the end.
fn has_powers(scales: &Operand, shape: &Shape, axis: usize, group: usize) -> Result {
    let pairs = shape[axis].div_ceil(group).div_ceil(2);
    let mut sizes = [&shape[..], &[2]].concat();
    sizes[axis] = pairs;
    check::output_shape(scales, &sizes)
}

/// Writes groups along an axis, and their powers.
fn write<'a>(rows: &mut Rows<'a>, [y, scales]: [&'a Operand; 2], axis: usize, to: DType) -> Result {
    rows.write_view(y, y.lanes(to, &[axis])?, [to, to])?;
    rows.write_view(scales, scales.lanes(F8E8M0, &[axis, y.rank()])?, [F8E8M0, F8E8M0])
}

/// Plans groups of so many neighbours along an axis.
fn along<'a>(
    call: &Call<'_>,
    output: Output,
    source: &Source<'a>,
    [y, scales]: [&'a Operand<'a>; 2],
    (axis, group): (usize, usize),
) -> Result<Plan> {
    let to = output_of(output, source.own, source.own, y)?;
    check::exactly(scales, F8E8M0)?;
    let shape = &source.shape;
    check::output_shape(y, shape)?;
    has_number(call, "dstType", y, to)?;
    has_powers(scales, shape, axis, group)?;
    let power = power_of(call, to)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut rows = Rows::new(shape.numel().unwrap_or(0) / shape[axis]);
    let numbers = source.read(&mut rows, axis)?;
    write(&mut rows, [y, scales], axis, to)?;
    rows.plan(shared_powers(numbers, group, power, codes(to)?))
}

pub(super) fn dynamic_mx_quant(call: &Call<'_>) -> Result<Plan> {
    let [x, y, scales] = &call.tensors_of(["x", "yOut", "mxscaleOut"])?;
    let signature = &signatures::dynamic_mx_quant;
    let own = check::dtype(x, signature.takes)?;
    check::rank(x)?;
    let axis = axis_in("axis", call.int("axis")?, x.rank())?;
    let (len, group) = (x.shape()?[axis], group_of(call)?);
    if own == F32 && (group != STEP || len < STEP) {
        return invalid(format_args!(
            "x is f32 with {len} elements along its axis and a blocksize of {group}, but must have {STEP} or more, and a blocksize of {STEP}"
        ));
    }
    along(call, signature.output, &Source::given(x, own)?, [y, scales], (axis, group))
}

pub(super) fn swiglu_mx_quant(call: &Call<'_>) -> Result<Plan> {
    let [x, y, scales] = &call.tensors_of(["x", "yOut", "mxscaleOut"])?;
    let signature = &signatures::swiglu_mx_quant;
    let own = check::dtype(x, signature.takes)?;
    check::rank(x)?;
    let dim = axis_in("activateDim", call.int("activateDim")?, x.rank())?;
    let axis = axis_in("axis", call.int("axis")?, x.rank())?;
    let source = Source::units(x, own, gate(call)?, dim)?;
    if call.given("groupIndex")?.is_some() {
        return check::not_emulated("gated units of groups of rows, so groupIndex must be null");
    }
    along(call, signature.output, &source, [y, scales], (axis, STEP))
}

/// Plans groups along the last axis and along the one before it. Those of the latter begin anew behind each end of a list.
fn along_both<'a>(
    call: &Call<'_>,
    output: Output,
    source: &Source<'a>,
    [y1, scales1, y2, scales2]: [&'a Operand<'a>; 4],
    ends: Option<&'a Operand<'a>>,
) -> Result<Plan> {
    let to = output_of(output, source.own, source.own, y1)?;
    check::exactly(y2, to)?;
    check::all_exactly(&[scales1, scales2], F8E8M0)?;
    let of_ends = given_as(ends, &[DType::I32, I64])?.unwrap_or(I64);
    let shape = &source.shape;
    let [outer @ .., len, columns] = &shape[..] else { return has_two_axes(shape) };
    let (len, columns, before) = (*len, *columns, outer.len());
    check::each(&[y1, y2], |y| check::output_shape(y, shape))?;
    has_powers(scales1, shape, before + 1, STEP)?;
    let parts = match ends {
        None => {
            has_powers(scales2, shape, before, STEP)?;
            None
        }
        Some(_) if !outer.is_empty() => {
            return invalid(format_args!("x has shape {shape}, but must have two axes with groupIndex"));
        }
        Some(ends) => {
            let [parts] = sizes(ends)?;
            check::output_shape(scales2, &parted(len, columns, parts, STEP))?;
            Some(parts)
        }
    };
    let number = if call.has("dstDtype") { "dstDtype" } else { "dstType" };
    has_number(call, number, y1, to)?;
    let power = power_of(call, to)?;
    if parts.is_some_and(|parts| parts == 0 || shape.is_empty_tensor()) {
        return filled(&[(y1, to), (scales1, F8E8M0), (y2, to), (scales2, F8E8M0)], 0.0);
    }
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let all = shape.numel().unwrap_or(0);
    let mut rows = Rows::new(all / columns);
    let numbers = source.read(&mut rows, before + 1)?;
    write(&mut rows, [y1, scales1], before + 1, to)?;
    let mut rows = rows.then(shared_powers(numbers, STEP, power, codes(to)?), all / len);
    let numbers = source.read(&mut rows, before)?;
    if let Some(ends) = ends {
        rows.all(ends, [of_ends, I64])?;
    }
    write(&mut rows, [y2, scales2], before, to)?;
    rows.plan(match ends {
        Some(_) => shared_powers_of_parts(numbers, STEP, power, codes(to)?),
        None => shared_powers(numbers, STEP, power, codes(to)?),
    })
}

pub(super) fn dynamic_mx_quant_of_both(call: &Call<'_>) -> Result<Plan> {
    let [x, y1, scales1, y2, scales2] =
        &call.tensors_of(["x", "y1Out", "mxscale1Out", "y2Out", "mxscale2Out"])?;
    let signature = &signatures::dynamic_mx_quant_of_both;
    let own = check::dtype(x, signature.takes)?;
    check::rank(x)?;
    let outputs = [y1, scales1, y2, scales2];
    along_both(call, signature.output, &Source::given(x, own)?, outputs, None)
}

pub(super) fn swiglu_mx_quant_of_both(call: &Call<'_>) -> Result<Plan> {
    let [x, y1, scales1, y2, scales2] =
        &call.tensors_of(["x", "y1Out", "mxscale1Out", "y2Out", "mxscale2Out"])?;
    let (ends, is_left) = (call.given("groupIndex")?, call.flag("activateLeft")?);
    let gradient = if call.has("yGrad") { Some(call.tensor("yGrad")?) } else { None };
    let signature = &signatures::swiglu_mx_quant_of_both;
    let own = check::dtype(x, signature.takes)?;
    check::rank(x)?;
    let source = match &gradient {
        Some(gradient) => {
            check::exactly(gradient, own)?;
            Source::gradients(x, gradient, own, is_left)?
        }
        None => Source::units(x, own, gate(call)?, x.rank().saturating_sub(1))?,
    };
    along_both(call, signature.output, &source, [y1, scales1, y2, scales2], ends.as_ref())
}

pub(super) fn dynamic_block_mx_quant(call: &Call<'_>) -> Result<Plan> {
    let [x, y, along, down] = &call.tensors_of(["x", "yOut", "scale1Out", "scale2Out"])?;
    let signature = &signatures::dynamic_block_mx_quant;
    let own = check::dtype(x, signature.takes)?;
    let to = output_of(signature.output, own, own, y)?;
    check::all_exactly(&[along, down], F8E8M0)?;
    check::rank(x)?;
    let shape = x.shape()?;
    let [outer @ .., height, width] = &shape[..] else { return has_two_axes(shape) };
    check::output_shape(y, shape)?;
    has_powers(along, shape, outer.len() + 1, STEP)?;
    has_powers(down, shape, outer.len(), STEP)?;
    has_number(call, "dstType", y, to)?;
    let power = power_of(call, to)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut rows = Rows::new(outer.iter().product());
    rows.each(x, [own, F32])?;
    rows.write(y, [to, to])?;
    rows.write(along, [F8E8M0, F8E8M0])?;
    rows.write(down, [F8E8M0, F8E8M0])?;
    rows.plan(shared_powers_of_blocks([*height, *width], STEP, power, codes(to)?))
}

fn has_two_axes<T>(shape: &Shape) -> Result<T> {
    invalid(format_args!("x has shape {shape}, but must have two axes or more"))
}

pub(super) fn grouped_dynamic_mx_quant(call: &Call<'_>) -> Result<Plan> {
    let [x, ends, y, scales] = &call.tensors_of(["x", "groupIndex", "y", "mxscale"])?;
    let signature = &signatures::grouped_dynamic_mx_quant;
    let own = check::dtype(x, signature.takes)?;
    let to = output_of(signature.output, own, own, y)?;
    let of_ends = given_as(Some(ends), &[DType::I32, I64])?.unwrap_or(I64);
    check::exactly(scales, F8E8M0)?;
    let ([len, columns], [parts]) = (sizes(x)?, sizes(ends)?);
    check::output_shape(y, x.shape()?)?;
    has_number(call, "dstType", y, to)?;
    let group = group_of(call)?;
    check::output_shape(scales, &parted(len, columns, parts, group))?;
    let power = power_of(call, to)?;
    if x.is_empty() || parts == 0 {
        return filled(&[(y, to), (scales, F8E8M0)], 0.0);
    }
    let mut rows = Rows::new(columns);
    rows.read(x, x.lanes(own, &[0])?, [own, F32], len)?;
    rows.all(ends, [of_ends, I64])?;
    write(&mut rows, [y, scales], 0, to)?;
    rows.plan(shared_powers_of_parts(Numbers::Given, group, power, codes(to)?))
}

pub(super) fn grouped_dynamic_mx_quant_of_both(call: &Call<'_>) -> Result<Plan> {
    let [x, ends, y1, scales1] = &call.tensors_of(["x", "groupIndex", "y1Out", "y1ScaleOut"])?;
    let [y2, scales2] = &call.tensors_of(["y2Out", "y2ScaleOut"])?;
    let signature = &signatures::grouped_dynamic_mx_quant_of_both;
    let own = check::dtype(x, signature.takes)?;
    let outputs = [y1, scales1, y2, scales2];
    along_both(call, signature.output, &Source::given(x, own)?, outputs, Some(ends))
}

/// The shape of the powers of groups that begin anew with each part of the first axis.
fn parted(len: usize, columns: usize, parts: usize, group: usize) -> Shape {
    Shape::from([(len / (2 * group)).saturating_add(parts), columns, 2])
}

pub(super) fn rms_norm_dynamic_mx_quant(call: &Call<'_>) -> Result<Plan> {
    let adds = call.has("x2");
    let x = call.tensor(if adds { "x1" } else { "x" })?;
    let other = if adds { Some(call.tensor("x2")?) } else { None };
    let (gamma, beta) = (call.tensor("gamma")?, call.optional_tensor("beta")?);
    let (y, scales) = (call.tensor("yOut")?, call.tensor("mxscaleOut")?);
    let sum = if adds { Some(call.tensor("xOut")?) } else { None };
    let gives_root = call.flag("outputRstd")?;
    let root = if gives_root { Some(call.tensor("rstdOut")?) } else { None };
    let signature = &signatures::rms_norm_dynamic_mx_quant;
    let own = check::dtype(&x, signature.takes)?;
    let to = output_of(signature.output, own, own, &y)?;
    check::all_exactly(&[&other, &sum], own)?;
    let of_gamma = given_as(Some(&gamma), &FLOATS)?.unwrap_or(F32);
    given_as(beta.as_ref(), &[of_gamma])?;
    given_as(root.as_ref(), &[F32])?;
    check::exactly(&scales, F8E8M0)?;
    check::rank(&x)?;
    let shape = x.shape()?;
    let Some((len, outer)) = shape.split_last() else { return invalid("x has no axes") };
    let (len, count) = (*len, outer.iter().product());
    for operand in [Some(y), other, sum].iter().flatten() {
        check::output_shape(operand, shape)?;
    }
    check::have_shape(&[Some(gamma), beta], &[len])?;
    check::have_elements(&[root.as_ref()], count)?;
    has_number(call, "dstType", &y, to)?;
    has_powers(&scales, shape, outer.len(), STEP)?;
    let (power, epsilon) = (power_of(call, to)?, call.float("epsilon")?);
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut rows = Rows::new(count);
    rows.each(&x, [own, F32])?;
    rows.all(&gamma, [of_gamma, F32])?;
    if let Some(operand) = &other {
        rows.each(operand, [own, F32])?;
    }
    if let Some(operand) = &beta {
        rows.all(operand, [of_gamma, F32])?;
    }
    let kept = rows.keep(len)?;
    if let Some(operand) = &sum {
        rows.write(operand, [F32, own])?;
    }
    if let Some(operand) = &root {
        rows.write(operand, [F32, F32])?;
    }
    let has_beta = beta.is_some();
    let norm = LaneFunction::new("normalise rows", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let rows: Vec<&[f32]> = mapped(inputs, |row| bytemuck::cast_slice(row));
        let mut outputs = outputs.iter_mut().map(|row| bytemuck::cast_slice_mut::<u8, f32>(row));
        let ([x, gamma, others @ ..], Some(out)) = (&rows[..], outputs.next()) else { return Ok(()) };
        let other = others.first().filter(|_| adds).copied().unwrap_or_default();
        let beta = others.last().filter(|_| has_beta).copied().unwrap_or_default();
        let sum = if adds { outputs.next() } else { None };
        let root = rms_norm_of_sum([x, other], [gamma, beta], epsilon, [out, sum.unwrap_or_default()]);
        if gives_root && let Some(out) = outputs.next() {
            out.fill(root);
        }
        Ok(())
    });
    let mut rows = rows.then(norm, count);
    rows.read_kept(kept, len)?;
    write(&mut rows, [&y, &scales], outer.len(), to)?;
    rows.plan(shared_powers(Numbers::Given, STEP, power, codes(to)?))
}

pub(super) fn anti_mx_quant(call: &Call<'_>) -> Result<Plan> {
    let [x, scales, y] = &call.tensors_of(["x", "mxscale", "y"])?;
    let signature = &signatures::anti_mx_quant;
    let own = check::dtype(x, signature.takes)?;
    let to = output_of(signature.output, own, own, y)?;
    check::exactly(scales, F8E8M0)?;
    check::rank(x)?;
    let axis = axis_in("axis", call.int("axis")?, x.rank())?;
    let shape = x.shape()?;
    check::output_shape(y, shape)?;
    has_number(call, "dstType", y, to)?;
    has_powers(scales, shape, axis, STEP)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let len = shape[axis];
    let mut rows = Rows::new(shape.numel().unwrap_or(0) / len);
    rows.read(x, x.lanes(own, &[axis])?, [own, F32], len)?;
    let pairs = scales.lanes(F8E8M0, &[axis, shape.rank()])?;
    rows.read(scales, pairs, [F8E8M0, F8E8M0], 2 * len.div_ceil(STEP).div_ceil(2))?;
    rows.write_view(y, y.lanes(to, &[axis])?, [F32, to])?;
    rows.plan(LaneFunction::new("dequantise", |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([x, powers], [out]) = (inputs, outputs) else { return Ok(()) };
        scale_by_powers(bytemuck::cast_slice(x), powers, STEP, bytemuck::cast_slice_mut(out));
        Ok(())
    }))
}
