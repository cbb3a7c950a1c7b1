//! Attention of pairs over a third element (Floyd attention). Axes are batches, heads, the first and the second of a pair, and elements; keys and values
//! have ways in the place of the second ones, or of the first ones.

use aclnn_numerics::DType::{Bool, F32, U8};
use cann_kernels::networks::attention::{FloydAttention, Statistics};

use crate::mapped::try_mapped;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::read_lanes;
use crate::operators::stage_planner::{Divided, StagePlanner, Used, sizes, typed};
use crate::operators::{check, signatures};
use crate::status::Result;

/// The sizes of all operands, checked: batches, heads, first and second ones, ways, and elements.
fn all_sizes([query, k1, v1, k2, v2]: [&Operand; 5], mask: Option<&Operand>) -> Result<[usize; 6]> {
    let ([batches, heads, first, second, len], [_, _, _, ways, _]) = (sizes::<5>(query)?, sizes::<5>(k1)?);
    check::each(&[k1, v1], |one| check::output_shape(one, &[batches, heads, first, ways, len]))?;
    check::each(&[k2, v2], |one| check::output_shape(one, &[batches, heads, ways, second, len]))?;
    if let Some(mask) = mask {
        check::output_shape(mask, &[batches, 1, first, 1, ways])?;
    }
    match [batches, heads, first, second, ways, len].contains(&0) {
        false => Ok([batches, heads, first, second, ways, len]),
        true => invalid(format_args!("query has shape {}, and there are {ways} ways", query.shape()?)),
    }
}

/// A mask as lanes of each head.
fn masks(
    planner: &mut StagePlanner,
    mask: &Operand,
    [batches, heads, first, ways]: [usize; 4],
) -> Result<Used> {
    let dtype = check::any_dtype(mask)?;
    planner.count(mask, dtype);
    let [batch, _, row, _, way] = mask.strides()[..] else { return invalid("the mask must have five axes") };
    let view = mask.view_of(dtype, &[batches, heads, first, ways], &[batch, 0, row, way], mask.offset())?;
    Ok((planner.builder.read(mask, view, true), read_lanes(first * ways, dtype, dtype)?))
}

/// Operands as lanes of each head.
fn lanes(planner: &mut StagePlanner, operands: &[&Operand], heads: usize) -> Result<Vec<Used>> {
    let len = |operand: &Operand| operand.shape().map(|shape| shape.numel().unwrap_or(0) / heads);
    try_mapped(operands, |operand| planner.read(operand, len(operand)?, Some(F32)))
}

fn body([_, _, first, second, ways, size]: [usize; 6], scale: f64, is_masked: bool) -> FloydAttention {
    FloydAttention { first, second, ways, size, scale: scale as f32, copies: Statistics::COPIES, is_masked }
}

pub(super) fn floyd_attention(call: &Call<'_>) -> Result<Plan> {
    let names =
        ["query", "key1", "value1", "key2", "value2", "softmaxMaxOut", "softmaxSumOut", "attentionOutOut"];
    let [query, k1, v1, k2, v2, most, sum, out] = &call.tensors_of(names)?;
    let mask = call.optional_tensor("attenMaskOptional")?;
    check::alike(&[query, k1, v1, k2, v2, out], signatures::floyd_attention.takes)?;
    check::all_exactly(&[most, sum], F32)?;
    check::each(mask.as_slice(), |mask| typed(mask, &[Bool, U8]))?;
    Divided::Generated.check((|| {
        let own = all_sizes([query, k1, v1, k2, v2], mask.as_ref())?;
        let [batches, heads, first, second, ways, len] = own;
        check::output_shape(out, &[batches, heads, first, second, len])?;
        check::each(&[most, sum], |known| {
            check::output_shape(known, &[batches, heads, first, second, Statistics::COPIES])
        })?;
        let mut planner = StagePlanner::default();
        let mut inputs = lanes(&mut planner, &[query, k1, v1, k2, v2], batches * heads)?;
        if let Some(mask) = &mask {
            inputs.push(masks(&mut planner, mask, [batches, heads, first, ways])?);
        }
        let mut outputs = vec![planner.write(out, first * second * len, Some(F32))?];
        for known in [most, sum] {
            outputs.push(planner.write(known, first * second * Statistics::COPIES, Some(F32))?);
        }
        let scale = call.float("scaleValueOptional")?;
        planner.builder.lanes(inputs, outputs, batches * heads, body(own, scale, mask.is_some()).body());
        Ok(planner.plan())
    })())
}

pub(super) fn floyd_attention_backward(call: &Call<'_>) -> Result<Plan> {
    let names = [
        "query",
        "key1",
        "value1",
        "key2",
        "value2",
        "dy",
        "softmaxMax",
        "softmaxSum",
        "attentionIn",
        "dqOut",
        "dk1Out",
        "dv1Out",
        "dk2Out",
        "dv2Out",
    ];
    let [query, k1, v1, k2, v2, dy, most, sum, y, outputs @ ..] = &call.tensors_of(names)?;
    let mask = call.optional_tensor("attenMaskOptional")?;
    let mut floats = vec![query, k1, v1, k2, v2, dy, y];
    floats.extend(outputs);
    check::alike(&floats, signatures::floyd_attention_backward.takes)?;
    check::all_exactly(&[most, sum], F32)?;
    check::each(mask.as_slice(), |mask| typed(mask, &[Bool, U8]))?;
    Divided::Generated.check((|| {
        let own = all_sizes([query, k1, v1, k2, v2], mask.as_ref())?;
        let [batches, heads, first, second, ways, len] = own;
        check::each(&[dy, y], |one| check::output_shape(one, &[batches, heads, first, second, len]))?;
        check::each(&[most, sum], |known| {
            check::output_shape(known, &[batches, heads, first, second, Statistics::COPIES])
        })?;
        let mut planner = StagePlanner::default();
        let mut inputs = lanes(&mut planner, &[query, k1, v1, k2, v2, dy, most, sum, y], batches * heads)?;
        if let Some(mask) = &mask {
            inputs.push(masks(&mut planner, mask, [batches, heads, first, ways])?);
        }
        let mut written = Vec::new();
        for (out, like) in outputs.iter().zip([query, k1, v1, k2, v2]) {
            check::output_shape(out, like.shape()?)?;
            let count = like.shape()?.numel().unwrap_or(0) / (batches * heads);
            written.push(planner.write(out, count, Some(F32))?);
        }
        let body = body(own, call.float("scaleValue")?, mask.is_some()).gradients();
        planner.builder.lanes(inputs, written, batches * heads, body);
        Ok(planner.plan())
    })())
}
