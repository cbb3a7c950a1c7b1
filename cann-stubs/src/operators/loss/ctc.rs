//! The connectionist temporal classification loss, and its gradient.

use aclnn_numerics::DType::{self, BF16, Bool, F16, F32, F64, I32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::{Ascend910B, Ascend950};
use aclnn_numerics::types_by_product::Types;
use cann_kernels::networks::loss::ctc::{Sequence, Sequences, gradient, losses};

use super::terms::{lane, planned};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// The operands of both directions.
struct Batch<'c> {
    logarithms: Operand<'c>,
    targets: Operand<'c>,
    dtype: DType,
    label: DType,
    sequences: Sequences,
}

impl<'c> Batch<'c> {
    fn of(call: &'c Call<'_>, lengths: &str, takes: Types) -> Result<Self> {
        let (logarithms, targets) = (call.tensor("logProbs")?, call.tensor("targets")?);
        let (inputs, labels) = (call.ints("inputLengths")?, call.ints(lengths)?);
        let dtype = check::dtype(&logarithms, takes)?;
        let label = match targets.known_dtype() {
            Some(label @ (I32 | I64 | Bool | F32 | F16)) => label,
            _ => return invalid("targets must be i32, i64, bool, f32 or f16"),
        };
        let sizes = logarithms.shape()?;
        let (steps, count, classes) = match sizes[..] {
            [steps, count, classes] => (steps, count, classes),
            [steps, classes] => (steps, 1, classes),
            _ => return invalid(format_args!("logProbs has shape {sizes}, but must have 2 or 3 axes")),
        };
        if steps == 0 {
            return invalid("logProbs has no steps");
        }
        if inputs.len() != count || labels.len() != count {
            return invalid(format_args!(
                "there are {} input lengths and {} target lengths for {count} sequences",
                inputs.len(),
                labels.len()
            ));
        }
        let in_range =
            |lengths: &[i64], most: usize| lengths.iter().all(|len| (0..=most as i64).contains(len));
        if !in_range(inputs, steps) {
            return invalid(format_args!("input lengths must be from 0 to {steps}"));
        }
        let blank = call.int("blank")?;
        if !(0..classes as i64).contains(&blank) {
            return invalid(format_args!(
                "blank is {blank}, but there are classes from 0 to {}",
                classes as i128 - 1
            ));
        }
        let total: i64 = labels.iter().fold(0, |sum, len| sum.saturating_add(*len));
        let longest = labels.iter().copied().max().unwrap_or(0);
        let row = match targets.shape()?[..] {
            _ if labels.iter().any(|len| *len < 0) => return invalid("target lengths must not be negative"),
            [rows, row] if rows == count && row as i64 >= longest => Some(row),
            [all] if all as i64 == total => None,
            _ => {
                return invalid(format_args!(
                    "targets has shape {}, but must have a row of {longest} labels for each of {count} sequences, or all \
                     {total} labels",
                    targets.shape()?
                ));
            }
        };
        let is_short = matches!(dtype, F16 | BF16) && settings::get().product == Ascend910B;
        if is_short && (classes > 200_000 || count > 8180 || longest > 1000) {
            return invalid(format_args!("{dtype} is not computed for so many classes, sequences or labels"));
        }
        let mut next = 0;
        let each = inputs.iter().zip(labels.iter()).enumerate().map(|(number, (steps, labels))| {
            let (steps, labels) = (*steps as usize, *labels as usize);
            let first = row.map_or(next, |row| number * row);
            next += labels;
            Sequence { steps, first, labels }
        });
        let each = each.collect();
        let states = 2 * longest as usize + 1;
        let states = if settings::get().product == Ascend950 { states } else { states.next_multiple_of(8) };
        let (blank, zeroes) = (blank as usize, call.flag("zeroInfinity")?);
        let sequences = Sequences { steps, classes, states, blank, each, zeroes };
        Ok(Self { logarithms, targets, dtype, label, sequences })
    }

    fn count(&self) -> usize {
        self.sequences.each.len()
    }

    /// Checks a tensor with a number for each sequence, of the type of the logarithms.
    fn is_loss(&self, operand: &Operand) -> Result {
        self.is_typed(operand)?;
        let shape = if self.logarithms.rank() == 2 { Shape::scalar() } else { Shape::from([self.count()]) };
        check::output_shape(operand, &shape)
    }

    /// Checks the logarithms of forward passes.
    fn is_forward(&self, operand: &Operand) -> Result {
        self.is_typed(operand)?;
        check::output_shape(operand, &[self.count(), self.sequences.steps, self.sequences.states])
    }

    fn is_typed(&self, operand: &Operand) -> Result {
        match operand.known_dtype() == Some(self.dtype) {
            true => Ok(()),
            false => invalid(format_args!("{} must be {}, as logProbs", operand.name, self.dtype)),
        }
    }
}

pub(super) fn ctc_loss(call: &Call<'_>) -> Result<Plan> {
    let batch = Batch::of(call, "targetlengths", signatures::ctc_loss.takes)?;
    let (loss, forward) = (call.tensor("negLogLikelihoodOut")?, call.tensor("logAlphaOut")?);
    batch.is_loss(&loss)?;
    batch.is_forward(&forward)?;
    let Batch { logarithms, targets, dtype, label, sequences } = &batch;
    plan(
        &[(logarithms, *dtype, F64), (targets, *label, I64)],
        &[(&loss, *dtype), (&forward, *dtype)],
        losses(sequences.clone()),
    )
}

pub(super) fn ctc_loss_backward(call: &Call<'_>) -> Result<Plan> {
    let grad = call.tensor("gradOut")?;
    let mut batch = Batch::of(call, "targetLengths", signatures::ctc_loss_backward.takes)?;
    let (loss, forward) = (call.tensor("negLogLikelihood")?, call.tensor("logAlpha")?);
    let out = call.tensor("out")?;
    batch.is_loss(&grad)?;
    batch.is_loss(&loss)?;
    batch.is_typed(&forward)?;
    let steps = batch.sequences.steps;
    // More states than the longest target needs may follow in each row.
    match forward.shape()?[..] {
        [count, of, states] if (count, of) == (batch.count(), steps) && states >= batch.sequences.states => {
            batch.sequences.states = states;
        }
        _ => batch.is_forward(&forward)?,
    }
    batch.is_typed(&out)?;
    check::output_shape(&out, batch.logarithms.shape()?)?;
    let Batch { logarithms, targets, dtype, label, sequences } = &batch;
    let inputs = [
        (&grad, *dtype, F64),
        (logarithms, *dtype, F64),
        (targets, *label, I64),
        (&loss, *dtype, F64),
        (&forward, *dtype, F64),
    ];
    plan(&inputs, &[(&out, *dtype)], gradient(sequences.clone()))
}

/// Whole operands as one lane each, with their types and those that they are computed in.
fn plan(
    inputs: &[(&Operand, DType, DType)],
    outputs: &[(&Operand, DType)],
    body: impl cann_kernels::LaneBody + 'static,
) -> Result<Plan> {
    if outputs.iter().all(|(output, _)| output.shape().is_ok_and(|shape| shape.is_empty_tensor())) {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let numel = |operand: &Operand| -> Result<usize> { Ok(operand.shape()?.numel().unwrap_or(0)) };
    let (mut read, mut written) = (Vec::new(), Vec::new());
    for (operand, dtype, seen) in inputs {
        let place = builder.read(operand, operand.in_order(*dtype)?, true);
        read.push((place, lane(numel(operand)?, &[*dtype, *seen], *seen)?));
    }
    for (operand, dtype) in outputs {
        let place = builder.write(operand, *dtype, operand.in_order(*dtype)?, true)?;
        written.push((place, lane(numel(operand)?, &[F64, *dtype], F64)?));
    }
    builder.lanes(read, written, 1, body);
    let kept: Vec<(&Operand, DType, DType)> =
        (inputs.iter().map(|(operand, dtype, _)| (*operand, *dtype, *dtype)))
            .chain(outputs.iter().map(|(operand, dtype)| (*operand, *dtype, *dtype)))
            .collect();
    Ok(planned(builder, &kept))
}
