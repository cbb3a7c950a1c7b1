//! The cross entropy of two probabilities, and of the sigmoid of a number and a probability.

use aclnn_numerics::DType;
use aclnn_numerics::layout::broadcast;
use aclnn_numerics::signature::Wide;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_NULLPTR};
use cann_kernels::networks::loss::elements::Term;
use cann_kernels::networks::loss::functions::{
    CrossEntropy, CrossEntropyGradient, LogitEntropy, LogitEntropyGradient, LogitEntropyTargetGradient,
};

use super::reduction::Reduction;
use super::terms::{Terms, must_spread};
use crate::operators::axes::{filled, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

/// An operand that is there, with its type.
fn typed<'a>(operand: Option<&'a Operand<'a>>, signature: &Wide) -> Result<Option<(&'a Operand<'a>, DType)>> {
    operand.map(|operand| Ok((operand, check::dtype(operand, signature.takes)?))).transpose()
}

fn promoted(operands: &[Option<(&Operand, DType)>]) -> Result<DType> {
    let mut dtypes = operands.iter().flatten().map(|(_, dtype)| *dtype);
    let first = dtypes.next().unwrap_or(DType::F32);
    dtypes.try_fold(first, check::promote)
}

/// Refuses operands that do not broadcast to the shape of another, or would enlarge it.
fn spreads(operand: Option<&Operand>, own: &Operand) -> Result {
    let Some(operand) = operand else { return Ok(()) };
    match broadcast(operand.shape()?, own.shape()?) {
        Ok(shape) if shape == *own.shape()? => Ok(()),
        _ => invalid(format_args!(
            "{} has shape {}, which does not broadcast to {} of {}",
            operand.name,
            operand.shape()?,
            own.shape()?,
            own.name
        )),
    }
}

pub(super) fn binary_cross_entropy(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::binary_cross_entropy;
    let tensor = |name: &str| {
        call.tensor(name).map_err(|status| match status.code {
            ACLNN_ERR_PARAM_NULLPTR => Status::new(ACLNN_ERR_INNER_NULLPTR, &status.message),
            _ => status,
        })
    };
    let (own, target, out) = (tensor("self")?, tensor("target")?, tensor("out")?);
    let weight = call.optional_tensor("weight")?;
    let operands =
        [typed(Some(&own), signature)?, typed(Some(&target), signature)?, typed(weight.as_ref(), signature)?];
    let to = check::dtype(&out, signature.takes)?;
    let through = promoted(&operands)?;
    let differ = operands.iter().flatten().any(|(_, dtype)| *dtype != to);
    if weight.is_some() && differ {
        return invalid("self, target, weight and out must have one type");
    }
    let (reduction, shape) = (Reduction::of(call)?, own.shape()?);
    check::output_shape(&target, shape)?;
    reduction.shapes_or_single(&out, shape)?;
    if shape.is_empty_tensor() {
        return filled(&[(&out, to)], if reduction == Reduction::Mean { f64::NAN } else { 0.0 });
    }
    if let Some(weight) = &weight {
        must_spread(weight, shape)?;
    }
    let terms = Terms { operands: operands.to_vec(), shape, through, out: (&out, to) };
    let divisor = reduction.divisor(shape, shape);
    terms.reduced(reduction, divisor, CrossEntropy {})
}

pub(super) fn binary_cross_entropy_backward(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::binary_cross_entropy_backward;
    let (grad, own, target) = (call.tensor("gradOutput")?, call.tensor("self")?, call.tensor("target")?);
    let (weight, out) = (call.optional_tensor("weightOptional")?, call.tensor("out")?);
    let operands = [
        typed(Some(&grad), signature)?,
        typed(Some(&own), signature)?,
        typed(Some(&target), signature)?,
        typed(weight.as_ref(), signature)?,
    ];
    let through = promoted(&operands)?;
    let to = check::dtype(&out, signature.takes)?;
    let (reduction, shape) = (Reduction::of(call)?, own.shape()?);
    let formats = [Some(&target), weight.as_ref()];
    if formats.into_iter().flatten().any(|operand| operand.format() != own.format()) {
        return invalid("self, target and weight must have one storage format");
    }
    check::output_shape(&out, shape)?;
    for operand in [Some(&grad), Some(&target), weight.as_ref()] {
        spreads(operand, &own)?;
    }
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let terms = Terms { operands: operands.to_vec(), shape, through, out: (&out, to) };
    let divisor = reduction.divisor(shape, shape);
    terms.each(divisor, CrossEntropyGradient {})
}

pub(super) fn binary_cross_entropy_with_logits(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::binary_cross_entropy_with_logits;
    let (own, target) = (call.tensor("self")?, call.tensor("target")?);
    let weights = [call.optional_tensor("weightOptional")?, call.optional_tensor("posWeightOptional")?];
    let out = call.tensor("out")?;
    let [own_type, target_type] =
        [check::dtype(&own, signature.takes)?, check::dtype(&target, signature.takes)?];
    let to = check::dtype(&out, signature.takes)?;
    same_type(&target, target_type, &out, to)?;
    let (reduction, shape) = (Reduction::of(call)?, own.shape()?);
    check::output_shape(&target, shape)?;
    check::rank(&own)?;
    for weight in &weights {
        spreads(weight.as_ref(), &target)?;
    }
    if reduction == Reduction::None {
        check::output_shape(&out, shape)?;
    }
    if shape.is_empty_tensor() {
        return reduction.of_nothing((&out, to), shape);
    }
    let through = check::promote(own_type, target_type)?;
    let [weight, positive] = &weights;
    // Types of weights are not compared with a list.
    let any = |weight: &'_ Option<Operand>| weight.as_ref().map(check::any_dtype).transpose();
    let types = [any(weight)?, any(positive)?];
    let operands = [
        Some((&own, own_type)),
        Some((&target, target_type)),
        weight.as_ref().zip(types[0]),
        positive.as_ref().zip(types[1]),
    ];
    let terms = Terms { operands: operands.to_vec(), shape, through, out: (&out, to) };
    let divisor = reduction.divisor(shape, shape);
    terms.reduced_after_rounding(reduction, divisor, LogitEntropy {})
}

fn same_type(target: &Operand, dtype: DType, out: &Operand, to: DType) -> Result {
    match dtype == to {
        true => Ok(()),
        false => invalid(format_args!(
            "{} is {dtype} and {} is {to}; both must have one type",
            target.name, out.name
        )),
    }
}

pub(super) fn binary_cross_entropy_with_logits_backward(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::binary_cross_entropy_with_logits_backward;
    logits_gradient(call, signature, LogitEntropyGradient {})
}

pub(super) fn binary_cross_entropy_with_logits_target_backward(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::binary_cross_entropy_with_logits_target_backward;
    logits_gradient(call, signature, LogitEntropyTargetGradient {})
}

fn logits_gradient(call: &Call<'_>, signature: &Wide, term: impl Term + 'static) -> Result<Plan> {
    let (grad, own, target) = (call.tensor("gradOutput")?, call.tensor("self")?, call.tensor("target")?);
    let (weight, positive) =
        (call.optional_tensor("weightOptional")?, call.optional_tensor("posWeightOptional")?);
    let out = call.output()?;
    let operands = [
        typed(Some(&grad), signature)?,
        typed(Some(&own), signature)?,
        typed(Some(&target), signature)?,
        typed(weight.as_ref(), signature)?,
        typed(positive.as_ref(), signature)?,
    ];
    let to = check::dtype(&out, signature.takes)?;
    if let Some((_, dtype)) = operands[2] {
        same_type(&target, dtype, &out, to)?;
    }
    let (reduction, shape) = (Reduction::of(call)?, own.shape()?);
    check::rank(&own)?;
    check::output_shape(&target, shape)?;
    check::output_shape(&out, shape)?;
    if [&target, &out].into_iter().any(|operand| operand.format() != own.format()) {
        return invalid(format_args!("self, target and {} must have one storage format", out.name));
    }
    for operand in [Some(&grad), weight.as_ref(), positive.as_ref()] {
        spreads(operand, &own)?;
    }
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let terms = Terms { operands: operands.to_vec(), shape, through: promoted(&operands)?, out: (&out, to) };
    let divisor = reduction.divisor(shape, shape);
    terms.each(divisor, term)
}
