//! The negative log likelihood of classes, and its gradient.

use aclnn_numerics::DType::{self, F16, F32, I64};
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::signature::Wide;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::networks::loss::classes::{NegativeLikelihood, negative_likelihood_gradient};

use super::reduction::Reduction;
use super::rows::Rows;
use crate::operators::axes::{filled, filled_each, invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, conversions, signatures};
use crate::settings;
use crate::status::Result;

const LABELS: Types = Types::of("i64 i32 u8");

/// Rows, their classes and the weights of these.
struct Labelled<'c> {
    own: Operand<'c>,
    target: Operand<'c>,
    weight: Operand<'c>,
    dtype: DType,
    label: DType,
    axis: usize,
    classes: usize,
    count: usize,
    ignored: i64,
    reduction: Reduction,
}

impl<'c> Labelled<'c> {
    fn of(call: &'c Call<'_>, signature: &Wide) -> Result<Self> {
        let (own, target, weight) = (call.tensor("self")?, call.tensor("target")?, call.tensor("weight")?);
        let dtype = check::dtype(&own, signature.takes)?;
        let label = check::dtype(&target, LABELS)?;
        match weight.known_dtype() {
            Some(other) if other == dtype => {}
            _ => return invalid(format_args!("weight must be {dtype}, as self")),
        }
        let reduction = Reduction::of(call)?;
        let sizes = own.shape()?;
        let of_images = call.info.name().contains("2d");
        let (axis, rows) = match (&sizes[..], of_images) {
            ([_], false) => (0, vec![]),
            ([rows, _], false) => (1, vec![*rows]),
            ([images, _, rows, columns], true) => (1, vec![*images, *rows, *columns]),
            (_, true) => return invalid(format_args!("self has shape {sizes}, but must have 4 axes")),
            _ => return invalid(format_args!("self has shape {sizes}, but must have 1 or 2 axes")),
        };
        if target.shape()?[..] != rows[..] {
            return invalid(format_args!(
                "target has shape {}, but there are rows {rows:?} of self",
                target.shape()?
            ));
        }
        let classes = sizes[axis];
        let weights = weight.shape()?;
        // Of images the library looks at the first axis alone.
        if weights.first() != Some(&classes) || !of_images && weights.len() > 1 {
            return invalid(format_args!("weight has shape {weights}, but self has {classes} classes"));
        }
        if weights.numel().is_none_or(|count| count > classes) {
            return check::not_emulated(format_args!("{classes} classes with weights of shape {weights}"));
        }
        let (count, ignored) = (rows.iter().product(), call.int("ignoreIndex")?);
        Ok(Self { own, target, weight, dtype, label, axis, classes, count, ignored, reduction })
    }

    /// Returns whether there is nothing to compute.
    fn is_empty(&self) -> bool {
        let operands = [&self.own, &self.target, &self.weight];
        operands.into_iter().any(|operand| operand.shape().is_ok_and(|shape| shape.is_empty_tensor()))
    }

    /// Checks a tensor with a loss for each row, or one of all.
    fn is_result(&self, operand: &Operand, most: usize) -> Result {
        if self.reduction == Reduction::None && self.target.rank() > 0 {
            return check::output_shape(operand, self.target.shape()?);
        }
        match operand.rank() <= most && operand.shape()?.numel() == Some(1) {
            true => Ok(()),
            false => invalid(format_args!(
                "{} has shape {}, but must have one element",
                operand.name,
                operand.shape()?
            )),
        }
    }

    /// The type of the result of the kernel.
    fn through(&self) -> DType {
        if self.dtype == F16 && settings::get().product != Ascend950 { F32 } else { self.dtype }
    }
}

pub(super) fn nll_loss(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::nll_loss;
    let all = Labelled::of(call, signature)?;
    let (out, total) = (call.tensor("out")?, call.tensor("totalWeightOut")?);
    let to = output_of(signature.output, all.dtype, all.dtype, &out)?;
    let total_to = output_of(signature.output, all.dtype, all.dtype, &total)?;
    // Of images one element may have any number of axes.
    all.is_result(&out, if all.own.rank() == 4 { usize::MAX } else { 1 })?;
    if total.shape()?.numel() != Some(1) {
        let shape = total.shape()?;
        return invalid(format_args!("totalWeightOut has shape {shape}, but must have one element"));
    }
    if all.count > 0 && all.classes == 0 && all.own.rank() < 4 {
        return invalid("self has no classes");
    }
    if all.is_empty() {
        return match all.reduction {
            Reduction::None => Ok(Plan::empty()),
            Reduction::Mean => filled_each(&[(&out, to, f64::NAN), (&total, total_to, 0.0)]),
            _ => filled(&[(&out, to), (&total, total_to)], 0.0),
        };
    }
    let through = all.through();
    let mut rows = Rows::new(all.count, all.classes);
    let inputs = [
        rows.rows(&all.own, all.dtype, all.axis)?.0,
        rows.labels(&all.target, all.label)?.0,
        rows.weights_once(&all.weight, all.dtype)?,
    ];
    let is_total = all.reduction != Reduction::None;
    let mut outputs = vec![rows.written(&out, through, to, 1)?];
    if is_total {
        outputs.push(rows.written(&total, through, total_to, 1)?);
    }
    let (outputs, lanes): (Vec<_>, Vec<_>) = outputs.into_iter().unzip();
    let body = NegativeLikelihood {
        classes: all.classes,
        ignored: all.ignored,
        load: [
            conversions::through(&[all.dtype, F32])?,
            conversions::through(&[all.label, I64])?,
            conversions::through(&[all.dtype, F32])?,
        ],
        total: is_total.then_some(all.reduction == Reduction::Mean),
        results: lanes.into_iter().map(|lane| lane.conversions).collect(),
    };
    rows.builder.whole(&inputs, &outputs, body);
    Ok(rows.plan())
}

pub(super) fn nll_loss_backward(call: &Call<'_>) -> Result<Plan> {
    gradient(call, &signatures::nll_loss_backward)
}

pub(super) fn nll_loss2d_backward(call: &Call<'_>) -> Result<Plan> {
    gradient(call, &signatures::nll_loss2d_backward)
}

fn gradient(call: &Call<'_>, signature: &Wide) -> Result<Plan> {
    let grad = call.tensor("gradOutput")?;
    let all = Labelled::of(call, signature)?;
    let (total, out) = (call.tensor("totalWeight")?, call.tensor("out")?);
    for operand in [&grad, &total] {
        if operand.known_dtype() != Some(all.dtype) {
            return invalid(format_args!("{} must be {}, as self", operand.name, all.dtype));
        }
    }
    let to = output_of(signature.output, all.dtype, all.dtype, &out)?;
    check::output_shape(&out, all.own.shape()?)?;
    all.is_result(&grad, 1)?;
    if total.shape()?.numel() != Some(1) {
        let shape = total.shape()?;
        return invalid(format_args!("totalWeight has shape {shape}, but must have one element"));
    }
    if all.is_empty() {
        return Ok(Plan::empty());
    }
    let mut rows = Rows::new(all.count, all.classes);
    let is_mean = all.reduction == Reduction::Mean;
    let mut inputs = vec![
        rows.labels(&all.target, all.label)?,
        rows.numbers(&grad, all.dtype)?,
        rows.weights(&all.weight, all.dtype)?,
    ];
    if is_mean {
        inputs.push(rows.numbers(&total, all.dtype)?);
    }
    let written = rows.written_rows(&out, all.dtype, to, all.axis)?;
    rows.builder.lanes(inputs, [written], all.count, negative_likelihood_gradient(all.ignored));
    Ok(rows.plan())
}
