//! Rows with scales and shifts of their batch.

use aclnn_numerics::DType;
use cann_kernels::View;
use cann_kernels::axis::normalization::{
    Spread, adapt, gradients_of_adapted, gradients_of_modulated, modulate as modulate_row, moments, store,
    sum_columns,
};
use smallvec::SmallVec;

use super::checks::{are_own_or_single, constants, has_shape, have_elements};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::lane_planner::Planner;
use crate::operators::{check, signatures};
use crate::status::Result;

/// Batches of rows.
#[derive(Clone, Copy)]
pub(super) struct Batches {
    pub(super) count: usize,
    pub(super) rows: usize,
    pub(super) len: usize,
}

impl Batches {
    /// The last two axes are rows and their elements.
    pub(super) fn of(x: &Operand) -> Result<Self> {
        check::rank(x)?;
        match x.shape()?[..] {
            [ref outer @ .., rows, len] if !outer.is_empty() => {
                Ok(Self { count: outer.iter().product(), rows, len })
            }
            _ => invalid(format_args!("{} has {} axes, but must have from 3 to 8", x.name, x.rank())),
        }
    }

    pub(super) fn all(self) -> usize {
        self.count * self.rows
    }

    /// Checks that an operand has a row for each batch: there is no axis of rows, or one row.
    pub(super) fn check(x: &Operand, beside: &Operand) -> Result {
        let shape = x.shape()?;
        let axis = shape.rank() - 2;
        let (outer, len) = (&shape[..axis], &shape[axis + 1..]);
        match beside.shape()?[..] == [outer, len].concat() {
            true => Ok(()),
            false => has_shape(beside, &[outer, &[1], len].concat()),
        }
    }

    /// The row of its batch for each row of `x`.
    pub(super) fn spread(x: &Operand, beside: &Operand, dtype: DType) -> Result<View> {
        let axis = x.rank() - 2;
        let mut strides: SmallVec<[isize; 8]> = beside.strides();
        match beside.rank() == x.rank() {
            true => strides[axis] = 0,
            false => strides.insert(axis, 0),
        }
        beside.view_of(dtype, x.shape()?, &strides, beside.offset())
    }
}

pub(super) fn ada_layer_norm(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "scale", "shift", "out"])?;
    let [x, scale, shift, out] = &tensors;
    let [weight, bias] = call.optional_tensors_of(["weightOptional", "biasOptional"])?;
    let saved = |name| if call.has(name) { call.optional_tensor(name) } else { Ok(None) };
    let (mean, rstd) = (saved("meanOutOptional")?, saved("rstdOutOptional")?);
    let own = check::alike(&[x, scale, shift, out], signatures::ada_layer_norm.takes)?;
    are_own_or_single(&[weight.as_ref(), bias.as_ref()], own)?;
    are_own_or_single(&[mean.as_ref(), rstd.as_ref()], own)?;
    let batches = Batches::of(x)?;
    check::each(&[scale, shift], |operand| Batches::check(x, operand))?;
    check::have_shape(&[&weight, &bias], &[batches.len])?;
    check::output_shape(out, x.shape()?)?;
    have_elements(&[mean.as_ref(), rstd.as_ref()], batches.all())?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let (len, eps) = (batches.len, call.float("epsilon")?);
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(x, len)?,
        planner.read(scale, len, &|operand, dtype| Batches::spread(x, operand, dtype))?,
        planner.read(shift, len, &|operand, dtype| Batches::spread(x, operand, dtype))?,
        planner.all(weight.as_ref(), batches.all())?,
        planner.all(bias.as_ref(), batches.all())?,
    ];
    let outputs = [
        planner.out(out, len)?,
        planner.write_if(mean.as_ref(), 1, &Operand::in_order)?,
        planner.write_if(rstd.as_ref(), 1, &Operand::in_order)?,
    ];
    planner.lanes(
        batches.all(),
        inputs,
        outputs,
        "normalise rows",
        move |[x, scale, shift, weight, bias], [out, mean, rstd]| {
            let [average, inverse] = adapted(x, [scale, shift, weight, bias], eps, out);
            store(mean, average);
            store(rstd, inverse);
        },
    )?;
    Ok(planner.plan())
}

/// Writes a row that is normalised, weighted, scaled and shifted; returns its mean and inverse deviation.
pub(super) fn adapted(
    x: &[f32],
    [scale, shift, weight, bias]: [&[f32]; 4],
    eps: f64,
    out: &mut [f32],
) -> [f64; 2] {
    let (average, variance) = moments(x);
    let inverse = 1.0 / (variance + eps).sqrt();
    let spreads = [Spread::new(weight, 1.0), Spread::new(bias, 0.0)];
    adapt([x, scale, shift], (average, inverse), spreads, out);
    [average, inverse]
}

pub(super) fn ada_layer_norm_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["gradOut", "input", "scale", "shift", "gradInputOut", "gradScaleOut", "gradShiftOut"];
    let (tensors, saved) = (call.tensors_of(names)?, call.tensors_of(["mean", "rstd"])?);
    let ([g, x, scale, shift, of_x, of_scale, of_shift], [mean, rstd]) = (&tensors, &saved);
    let optional = ["weightOptional", "biasOptional", "gradWeightOut", "gradBiasOut"];
    let [weight, bias, of_weight, of_bias] = &call.optional_tensors_of(optional)?;
    let own = check::alike(&tensors, signatures::ada_layer_norm_backward.takes)?;
    are_own_or_single(&[Some(mean), Some(rstd)], own)?;
    let given = [weight.as_ref(), bias.as_ref(), of_weight.as_ref(), of_bias.as_ref()];
    are_own_or_single(&given, own)?;
    let batches = Batches::of(x)?;
    let (len, count, rows) = (batches.len, batches.count, batches.rows);
    let dims = call.ints("normalizedShape")?;
    if !matches!(dims[..], [size] if usize::try_from(size) == Ok(len)) {
        return invalid(format_args!("normalizedShape is {dims:?}, but rows have {len} elements"));
    }
    check::each(&[g, of_x], |operand| has_shape(operand, x.shape()?))?;
    check::each(&[scale, shift, of_scale, of_shift], |operand| Batches::check(x, operand))?;
    have_elements(&[Some(mean), Some(rstd)], batches.all())?;
    check::have_shape(&given, &[len])?;
    if x.is_empty() {
        let [of_weight, of_bias] = [of_weight.as_ref(), of_bias.as_ref()];
        return constants(&[(Some(of_scale), 0.0), (Some(of_shift), 0.0), (of_weight, 0.0), (of_bias, 0.0)]);
    }
    let mut planner = Planner::new();
    let matrix = rows * len;
    let inputs = [
        planner.rows(g, matrix)?,
        planner.rows(x, matrix)?,
        planner.rows(mean, rows)?,
        planner.rows(rstd, rows)?,
        planner.rows(scale, len)?,
        planner.all(weight.as_ref(), count)?,
        planner.all(bias.as_ref(), count)?,
    ];
    // The gradients of the weights of each batch.
    let parts = [planner.temporary(count, len)?, planner.temporary(count, len)?];
    let outputs = [
        planner.out(of_x, matrix)?,
        planner.out(of_scale, len)?,
        planner.out(of_shift, len)?,
        Some(parts[0]),
        Some(parts[1]),
    ];
    planner.try_lanes(count, inputs, outputs, "gradients of batches", |inputs, outputs| {
        let [g, x, mean, rstd, scale, weight, bias] = inputs;
        gradients_of_adapted([g, x, mean, rstd], [scale, weight, bias], outputs)
    })?;
    for (part, output) in parts.into_iter().zip([of_weight, of_bias]) {
        let Some(output) = output else { continue };
        let (all, out) = (Some(part.of_len(count * len)), planner.out(output, len)?);
        planner.lanes(1, [all], [out], "sum gradients of batches", |[all], [out]| sum_columns(all, out))?;
    }
    Ok(planner.plan())
}

pub(super) fn modulate(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["self", "out"])?;
    let [x, out] = &tensors;
    let (scale, shift) = (call.optional_tensor("scaleOptional")?, call.optional_tensor("shiftOptional")?);
    let all = [&tensors[..], scale.as_slice(), shift.as_slice()].concat();
    check::alike(&all, signatures::modulate.takes)?;
    let batches = Batches::of(x)?;
    check::each(&[&scale, &shift], |operand| Batches::check(x, operand))?;
    check::output_shape(out, x.shape()?)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let len = batches.len;
    let mut planner = Planner::new();
    let spread = |operand: &Operand, dtype| Batches::spread(x, operand, dtype);
    let inputs = [
        planner.rows(x, len)?,
        planner.read_if(scale.as_ref(), len, &spread)?,
        planner.read_if(shift.as_ref(), len, &spread)?,
    ];
    let out = planner.out(out, len)?;
    planner.lanes(batches.all(), inputs, [out], "scale and shift", |[x, scale, shift], [out]| {
        modulate_row(x, scale, shift, out);
    })?;
    Ok(planner.plan())
}

pub(super) fn modulate_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["grad_output", "input", "scale", "shift", "grad_input", "grad_scale", "grad_shift"];
    let tensors = call.tensors_of(names)?;
    let [g, x, scale, shift, of_x, of_scale, of_shift] = &tensors;
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::modulate_backward.takes)?;
    let Batches { count, rows, len } = Batches::of(x)?;
    check::each(&[g, of_x], |operand| has_shape(operand, x.shape()?))?;
    check::each(&[scale, shift, of_scale, of_shift], |operand| Batches::check(x, operand))?;
    if x.is_empty() {
        return constants(&[(Some(of_scale), 0.0), (Some(of_shift), 0.0)]);
    }
    let mut planner = Planner::new();
    let matrix = rows * len;
    let inputs = [planner.rows(g, matrix)?, planner.rows(x, matrix)?, planner.rows(scale, len)?];
    let outputs = [planner.out(of_x, matrix)?, planner.out(of_scale, len)?, planner.out(of_shift, len)?];
    planner.lanes(count, inputs, outputs, "gradients of batches", gradients_of_modulated)?;
    Ok(planner.plan())
}
