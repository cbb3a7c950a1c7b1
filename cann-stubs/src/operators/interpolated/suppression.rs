//! Boxes of which some are left out.

use aclnn_numerics::DType::{F32, I32};
use cann_kernels::images::Suppression;
use cann_kernels::networks::attention::copied;

use crate::operators::axes::{invalid, temporaries};
use crate::operators::call::{Call, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::plan_builder::{PlanBuilder, read_lanes};
use crate::operators::signatures;
use crate::status::Result;

/// The result gets as many rows as there are boxes that are kept; it has room for as many as could be.
pub(in crate::operators) fn non_max_suppression(call: &Call<'_>) -> Result<Plan> {
    let [boxes, scores] = call.tensors_of(["boxes", "scores"])?;
    let out = call.tensor("selectedIndices")?;
    let (most, overlap, score) =
        (call.ints("maxOutputBoxesPerClass")?, call.floats("iouThreshold")?, call.floats("scoreThreshold")?);
    let dtype = check::alike(&[&boxes, &scores], signatures::non_max_suppression.takes)?;
    check::exactly(&out, I32)?;
    let ([images, count, _], [_, classes, _]) = (sizes(&boxes)?, sizes(&scores)?);
    has_shape(&boxes, &[images, count, 4])?;
    has_shape(&scores, &[images, classes, count])?;
    if most.len() > 1 || overlap.len() > 1 || score.len() > 1 {
        return invalid("maxOutputBoxesPerClass, iouThreshold and scoreThreshold have one number at most");
    }
    let is_centred = match call.int("centerPointBox")? {
        0 => false,
        1 => true,
        other => return invalid(format_args!("centerPointBox is {other}, but must be 0 or 1")),
    };
    let overlap = overlap.first().copied().unwrap_or(0.0);
    if !(0.0..=1.0).contains(&overlap) {
        return invalid(format_args!("iouThreshold is {overlap}, but must be from 0 to 1"));
    }
    let most = usize::try_from(most.first().copied().unwrap_or(0)).unwrap_or(0).min(count);
    let room = images.saturating_mul(classes).saturating_mul(most);
    check::output_shape(&out, &[room, 3])?;
    if room == 0 {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let mut inputs = Vec::new();
    for operand in [&boxes, &scores] {
        let len = operand.shape()?.numel().unwrap_or(0);
        let place = builder.read(operand, operand.in_order(dtype)?, dtype == F32);
        let kept = builder.temporary(F32, len)?;
        let lanes = [(place, read_lanes(len, dtype, F32)?)];
        builder.lanes(lanes, [(kept, read_lanes(len, F32, F32)?)], 1, copied());
        inputs.push(kept);
    }
    let to = builder.write(&out, I32, out.in_order(I32)?, true)?;
    let score = score.first().copied().unwrap_or(f32::NEG_INFINITY);
    let body = Suppression { sizes: [images, classes, count], most, overlap, score, is_centred };
    builder.whole(&inputs, &[to], body);
    builder.sets_sizes();
    Ok(builder.plan(temporaries(&[(&boxes, dtype, F32), (&scores, dtype, F32)])))
}
