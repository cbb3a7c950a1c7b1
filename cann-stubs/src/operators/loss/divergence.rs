//! The divergence of Kullback and Leibler, and its gradients.

use aclnn_numerics::DType::{F16, F32};
use cann_kernels::networks::loss::elements::Term;
use cann_kernels::networks::loss::functions::{
    Divergence, DivergenceGradient, DivergenceTargetGradient, LogDivergence, LogDivergenceGradient,
    LogDivergenceTargetGradient,
};
use smallvec::SmallVec;

use super::differences::Broadcast;
use super::reduction::Reduction;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn kl_div(call: &Call<'_>) -> Result<Plan> {
    let pair = Broadcast::of(call, &signatures::kl_div, ["self", "target"], false)?;
    let (reduction, is_logarithm) = (Reduction::of_batches(call)?, call.flag("logTarget")?);
    let [own, _] = &pair.operands;
    reduction.shapes_or_single(&pair.out, &pair.shape)?;
    if pair.is_empty() {
        return reduction.of_nothing((&pair.out, pair.to), own.shape()?);
    }
    let divisor = reduction.divisor(&pair.shape, own.shape()?);
    match is_logarithm {
        true => pair.terms().reduced(reduction, divisor, LogDivergence {}),
        false => pair.terms().reduced(reduction, divisor, Divergence {}),
    }
}

pub(super) fn kl_div_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["gradOutput", "self", "target"];
    let all = Broadcast::of(call, &signatures::kl_div_backward, names, false)?;
    let is_logarithm = call.flag("logTarget")?;
    let [_, own, _] = &all.operands;
    match is_logarithm {
        true => summed(call, &all, own, LogDivergenceGradient {}),
        false => summed(call, &all, own, DivergenceGradient {}),
    }
}

pub(super) fn kl_div_target_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["gradOutput", "self", "target"];
    let all = Broadcast::of(call, &signatures::kl_div_target_backward, names, false)?;
    let is_logarithm = call.flag("logTarget")?;
    let [_, _, target] = &all.operands;
    match is_logarithm {
        true => summed(call, &all, target, LogDivergenceTargetGradient {}),
        false => summed(call, &all, target, DivergenceTargetGradient {}),
    }
}

/// A gradient of the shape of `of`, summed up over the axes along which that was broadcast.
fn summed(call: &Call<'_>, all: &Broadcast<3>, of: &Operand, term: impl Term + 'static) -> Result<Plan> {
    check::output_shape(&all.out, of.shape()?)?;
    let [_, own, target] = &all.operands;
    let pair = check::broadcast_all(&[own, target])?;
    if pair != all.shape {
        return crate::operators::axes::invalid(format_args!(
            "gradOutput does not broadcast to the shape {pair} of self and target"
        ));
    }
    if all.is_empty() {
        return Ok(Plan::empty());
    }
    // Every other number is none.
    let reduction = Reduction::of_batches(call).unwrap_or(Reduction::None);
    let divisor = reduction.divisor(&pair, own.shape()?);
    let missing = pair.rank() - of.rank();
    let is_spread = |axis: &usize| match axis.checked_sub(missing) {
        Some(own) => of.shape().is_ok_and(|sizes| sizes[own] != pair[*axis]),
        None => true,
    };
    let axes: SmallVec<[usize; 8]> = (0..pair.rank()).filter(is_spread).collect();
    let mut terms = all.terms();
    if all.dtypes != [F16; 3] {
        terms.through = F32;
    }
    if axes.is_empty() { terms.each(divisor, term) } else { terms.along(&axes, divisor, term) }
}
