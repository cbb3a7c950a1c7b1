//! The cross entropy of the softmax of rows: of classes, and of probabilities.

use aclnn_numerics::DType::{self, F32, F64, I32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::networks::loss::classes::{
    class_entropy, class_entropy_gradient, divisors, soft_entropy, weighted_total,
};

use super::reduction::Reduction;
use super::rows::{Rows, between};
use super::terms::lane;
use crate::operators::axes::{invalid, no_kernel};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

fn has_shape(operand: &Operand, shape: &[usize]) -> Result {
    match operand.shape()?[..] == *shape {
        true => Ok(()),
        false => check::untiled(format_args!(
            "{} has shape {}, but must have {}",
            operand.name,
            operand.shape()?,
            Shape::from(shape)
        )),
    }
}

/// Rows with their classes.
struct Classes<'c> {
    rows: Operand<'c>,
    target: Operand<'c>,
    weight: Option<Operand<'c>>,
    dtype: DType,
    label: DType,
    count: usize,
    classes: usize,
    ignored: i64,
    smoothing: f64,
    reduction: Reduction,
}

impl<'c> Classes<'c> {
    fn of(call: &'c Call<'_>, rows: &str, takes: Types) -> Result<Self> {
        let (rows, target) = (call.tensor(rows)?, call.tensor("target")?);
        let weight = call.optional_tensor("weightOptional")?;
        let dtype = check::dtype(&rows, takes)?;
        let label = match target.known_dtype() {
            Some(label @ I64) => label,
            Some(label @ I32) if settings::get().product == Ascend950 => label,
            _ => return invalid("target must be i64, or i32 on the 950"),
        };
        if weight.as_ref().is_some_and(|weight| weight.known_dtype() != Some(F32)) {
            return invalid("weightOptional must be f32");
        }
        let reduction = match call.optional_text("reductionOptional")?.as_deref() {
            None | Some("mean") => Reduction::Mean,
            Some("sum") => Reduction::Sum,
            Some("none") => Reduction::None,
            Some(other) => return check::untiled(format_args!("reductionOptional is {other:?}")),
        };
        let [count, classes] = rows.shape()?[..] else {
            return check::untiled(format_args!(
                "{} has shape {}, but must have 2 axes",
                rows.name,
                rows.shape()?
            ));
        };
        has_shape(&target, &[count])?;
        check::each(weight.as_slice(), |weight| has_shape(weight, &[classes]))?;
        if classes == 0 {
            return check::untiled("there are no classes");
        }
        let (ignored, smoothing) = (call.int("ignoreIndex")?, call.float("labelSmoothing")?);
        Ok(Self { rows, target, weight, dtype, label, count, classes, ignored, smoothing, reduction })
    }

    /// The type of an output, which is that of the rows.
    fn is_typed(&self, operand: &Operand) -> Result {
        match operand.known_dtype() == Some(self.dtype) {
            true => Ok(()),
            false => invalid(format_args!("{} must be {}", operand.name, self.dtype)),
        }
    }

    /// Checks a tensor with a number for each row, or one of all.
    fn is_result(&self, operand: &Operand) -> Result {
        has_shape(operand, &[if self.reduction == Reduction::None { self.count } else { 1 }])
    }
}

pub(super) fn cross_entropy_loss(call: &Call<'_>) -> Result<Plan> {
    let all = Classes::of(call, "input", signatures::cross_entropy_loss.takes)?;
    let [loss, logarithms] = [call.tensor("lossOut")?, call.tensor("logProbOut")?];
    let [unused, unused_too] = [call.tensor("zlossOut")?, call.tensor("lseForZlossOut")?];
    for operand in [&loss, &logarithms, &unused, &unused_too] {
        all.is_typed(operand)?;
    }
    if !(0.0..=1.0).contains(&all.smoothing) {
        return check::untiled(format_args!("labelSmoothing is {}, but must be from 0 to 1", all.smoothing));
    }
    check::each(&[&loss, &unused], |operand| all.is_result(operand))?;
    has_shape(&logarithms, &[all.count, all.classes])?;
    has_shape(&unused_too, &[all.count])?;
    if all.count == 0 {
        return all.reduction.of_nothing((&loss, all.dtype), &Shape::from([0]));
    }
    let dtype = all.dtype;
    let mut rows = Rows::new(all.count, all.classes);
    let mut inputs = vec![rows.rows(&all.rows, dtype, 1)?, rows.labels(&all.target, all.label)?];
    if let Some(weight) = &all.weight {
        inputs.push(rows.weights(weight, F32)?);
    }
    let logarithms = rows.written_rows(&logarithms, dtype, dtype, 1)?;
    let body = class_entropy(all.ignored, all.smoothing);
    if all.reduction == Reduction::None {
        let written = [logarithms, rows.written(&loss, dtype, dtype, 1)?];
        rows.builder.lanes(inputs, written, all.count, body);
        return Ok(rows.plan());
    }
    let [losses, weights] =
        [rows.builder.temporary(F64, all.count)?, rows.builder.temporary(F64, all.count)?];
    rows.builder.lanes(inputs, [logarithms, between(losses, 1)?, between(weights, 1)?], all.count, body);
    let total = rows.written(&loss, dtype, dtype, 1)?;
    let read = [between(losses, all.count)?, between(weights, all.count)?];
    rows.builder.lanes(read, [total], 1, weighted_total(all.reduction == Reduction::Mean));
    Ok(rows.plan())
}

pub(super) fn cross_entropy_loss_grad(call: &Call<'_>) -> Result<Plan> {
    let grad = call.tensor("gradLoss")?;
    let all = Classes::of(call, "logProb", signatures::cross_entropy_loss_grad.takes)?;
    let out = call.tensor("out")?;
    check::each(&[&grad, &out], |operand| all.is_typed(operand))?;
    if all.smoothing != 0.0 {
        return check::untiled(format_args!(
            "labelSmoothing is {}, but the gradient takes 0 alone",
            all.smoothing
        ));
    }
    match all.reduction {
        Reduction::None => has_shape(&grad, &[all.count])?,
        _ => has_shape(&grad, if grad.rank() == 0 { &[] } else { &[1] })?,
    }
    has_shape(&out, &[all.count, all.classes])?;
    if all.count == 0 {
        return Ok(Plan::empty());
    }
    let dtype = all.dtype;
    let mut rows = Rows::new(all.count, all.classes);
    let labels = rows.labels(&all.target, all.label)?;
    let weights = all.weight.as_ref().map(|weight| rows.weights(weight, F32)).transpose()?;
    // All labels in one lane, and the weights of the first row.
    let each = rows.builder.temporary(F64, all.count)?;
    let mut read = vec![(labels.0, lane(all.count, &[all.label, I64], I64)?)];
    if let Some(weight) = &all.weight {
        let view = weight.in_order(F32)?;
        read.push((rows.builder.read(weight, view, true), lane(all.classes, &[F32], F32)?));
    }
    let is_mean = all.reduction == Reduction::Mean;
    rows.builder.lanes(read, [between(each, all.count)?], 1, divisors(all.ignored, all.classes, is_mean));
    let mut inputs =
        vec![rows.rows(&all.rows, dtype, 1)?, labels, rows.numbers(&grad, dtype)?, between(each, 1)?];
    inputs.extend(weights);
    let written = rows.written_rows(&out, dtype, dtype, 1)?;
    rows.builder.lanes(inputs, [written], all.count, class_entropy_gradient(all.ignored));
    Ok(rows.plan())
}

pub(super) fn softmax_cross_entropy_with_logits(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::softmax_cross_entropy_with_logits;
    let (own, labels) = (call.tensor("features")?, call.tensor("labels")?);
    let (loss, gradient) = (call.tensor("loss")?, call.tensor("backprop")?);
    let (dtype, label) = (check::dtype(&own, signature.takes)?, check::dtype(&labels, signature.takes)?);
    for output in [&loss, &gradient] {
        if output.known_dtype() != Some(dtype) {
            return invalid(format_args!("{} must be {dtype}, as features", output.name));
        }
    }
    let ([count, classes], [_, _]) = (&own.shape()?[..], &labels.shape()?[..]) else {
        return invalid("features and labels must have 2 axes");
    };
    let (count, classes) = (*count, *classes);
    if count * classes == 0 || labels.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    // The library does not compare shapes.
    for (operand, numel) in [(&labels, count * classes), (&loss, count), (&gradient, count * classes)] {
        if operand.shape()?.numel() != Some(numel) {
            let (name, shape) = (operand.name, operand.shape()?);
            let message = format_args!("{name} has shape {shape}, but must have {numel} elements");
            return Err(no_kernel(message));
        }
    }
    let mut rows = Rows::new(count, classes);
    let inputs = [rows.rows(&own, dtype, 1)?, rows.rows(&labels, label, 1)?];
    let written = [rows.written(&loss, dtype, dtype, 1)?, rows.written_in_order(&gradient, dtype)?];
    rows.builder.lanes(inputs, written, count, soft_entropy());
    Ok(rows.plan())
}
