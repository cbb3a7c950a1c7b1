//! Blocks of tokens that overlap, each summed up with weights: those of whole sequences, or the last ones of sequences that grow.

use aclnn_numerics::DType::{F32, I32};
use cann_kernels::LaneFunction;
use cann_kernels::functions::rows::{add_scaled, dot};
use cann_kernels::networks::attention::missing;
use cann_kernels::networks::experts::rows::Tables;

use super::indexer::host;
use super::layout::{fit, not_there};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Plan};
use crate::operators::stage_planner::{StagePlanner, sizes};
use crate::operators::{check, signatures};
use crate::status::Result;

/// The blocks of sequences.
struct Blocks {
    /// Of each sequence its first block, and the token where that begins.
    sequences: Vec<[usize; 2]>,
    count: usize,
    size: usize,
    stride: usize,
}

impl Blocks {
    fn of(call: &Call<'_>, lengths: &str, layout: &str, tokens: usize) -> Result<Self> {
        let ([size, stride], _) = attributes(call, layout, 0)?;
        let ends = host(call, lengths)?.unwrap_or_else(|| vec![tokens as i64]);
        let (mut first, mut sequences, mut count) = (0, Vec::new(), 0);
        for end in &ends {
            let Some(end) = usize::try_from(*end).ok().filter(|end| (first..=tokens).contains(end)) else {
                return invalid(format_args!(
                    "{lengths} is {ends:?}, but must say where sequences of {tokens} tokens end"
                ));
            };
            sequences.push([count, first]);
            count += (end - first).checked_sub(size).map_or(0, |rest| rest / stride + 1);
            first = end;
        }
        Ok(Self { sequences, count, size, stride })
    }

    /// The first token of a block.
    fn token(&self, block: usize) -> usize {
        let last = self.sequences.partition_point(|[first, _]| *first <= block);
        let sequence = last.checked_sub(1).and_then(|last| self.sequences.get(last));
        sequence.map_or(0, |[first, token]| token + (block - first) * self.stride)
    }
}

/// The tokens of a block and of a stride, and the kind of lengths, up to one.
fn attributes(call: &Call<'_>, layout: &str, most: i64) -> Result<([usize; 2], i64)> {
    let (size, stride, kind) =
        (call.int("compressBlockSize")?, call.int("compressStride")?, call.int("actSeqLenType")?);
    let positive = |number: i64| usize::try_from(number).ok().filter(|number| *number > 0);
    let layout = call.optional_text(layout)?;
    let is_known = matches!(layout.as_deref(), None | Some("" | "TND")) && (0..=most).contains(&kind);
    match (positive(size), positive(stride)) {
        (Some(size), Some(stride)) if is_known => Ok(([size, stride], kind)),
        _ => invalid(format_args!(
            "compressBlockSize is {size}, compressStride {stride}, the layout {} and actSeqLenType {kind}; the first two must be \
             positive, the layout TND, and actSeqLenType from 0 to {most}",
            check::shown(layout.as_deref())
        )),
    }
}

pub(super) fn compress_blocks(call: &Call<'_>) -> Result<Plan> {
    let (input, weight, out) = (call.tensor("input")?, call.tensor("weight")?, call.tensor("output")?);
    check::alike(&[&input, &weight, &out], signatures::compress_blocks.takes)?;
    let [tokens, heads, len] = sizes::<3>(&input)?;
    let blocks = Blocks::of(call, "actSeqLenOptional", "layoutOptional", tokens)?;
    check::output_shape(&weight, &[blocks.size, heads])?;
    check::output_shape(&out, &[blocks.count, heads, len])?;
    let count = blocks.count * heads;
    if count * len == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = StagePlanner::default();
    let tables = vec![planner.table(&input, len, Some(F32))?];
    let lists = vec![planner.list(&weight, Some(F32))?];
    let outputs = vec![planner.write(&out, len, Some(F32))?];
    planner.rows("sum up blocks", [tables, lists, outputs], count, move |row, tables, lists, outputs| {
        let ([weights], [out]) = (lists, outputs) else { return Ok(false) };
        let first = blocks.token(row / heads);
        sum_up(tables, weights, [row % heads, heads], out, |at| Ok(first + at))?;
        Ok(true)
    });
    Ok(planner.plan())
}

/// Sums up the tokens of a block with the weights of a head; `token` finds the place of each.
fn sum_up(
    tables: &Tables<'_>,
    weights: &[u8],
    [head, heads]: [usize; 2],
    out: &mut [u8],
    token: impl Fn(usize) -> cann_kernels::Result<usize>,
) -> cann_kernels::Result {
    let (weights, out): (&[f32], &mut [f32]) = (bytemuck::cast_slice(weights), bytemuck::cast_slice_mut(out));
    out.fill(0.0);
    for (at, weight) in weights.iter().skip(head).step_by(heads).enumerate() {
        let row = token(at)?.saturating_mul(heads).saturating_add(head) as i64;
        let is_there = tables.visit::<f32>(0, row, &mut |x| {
            add_scaled(x, *weight, out);
        })?;
        if !is_there {
            return Err(missing(at));
        }
    }
    Ok(())
}

/// The tokens of a sequence that has just got a block.
#[derive(Clone, Copy)]
struct Latest {
    /// The first token of its last block, in the sequence, and of the sequence, in the input.
    token: usize,
    first: usize,
}

/// Sequences whose length has just reached the end of a block write its sum to a slot of a cache. Other slots stay as they are,
/// and slots that the cache does not have are not written.
pub(super) fn compress_last_blocks(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["input", "weight", "outputCache"])?;
    let ([input, weight, out], slots) = (&tensors, call.tensor("slotMapping")?);
    check::alike(&[input, weight, out], signatures::compress_last_blocks.takes)?;
    check::exactly(&slots, I32)?;
    let table = call.optional_tensor("blockTableOptional")?;
    check::all_exactly(table.as_slice(), I32)?;
    let ([size, stride], kind) = attributes(call, "layoutOptional", 1)?;
    let page = usize::try_from(call.int("pageBlockSize")?).unwrap_or(0);
    let (tokens, heads, len) = match &table {
        None => {
            let [tokens, heads, len] = sizes::<3>(input)?;
            (tokens, heads, len)
        }
        Some(_) => {
            let [blocks, own, heads, len] = sizes::<4>(input)?;
            fit(input, own == page)?;
            (blocks.saturating_mul(page), heads, len)
        }
    };
    let [count] = sizes::<1>(&slots)?;
    let [places, ..] = sizes::<3>(out)?;
    check::output_shape(out, &[places, heads, len])?;
    check::output_shape(weight, &[size, heads])?;
    let width = match &table {
        None => 0,
        Some(table) => {
            let [rows, width] = sizes::<2>(table)?;
            fit(table, rows == count)?;
            width
        }
    };
    let lengths = host(call, "actSeqLenOptional")?.unwrap_or_default();
    let most = if table.is_some() { width.saturating_mul(page) } else { tokens };
    let (mut latest, mut end) = (Vec::new(), 0);
    for number in &lengths {
        let first = end;
        let length = if kind == 0 { number.saturating_sub(first) } else { *number };
        end = first.saturating_add(length);
        let reached = if table.is_some() { length } else { end };
        let (Ok(own), true) = (usize::try_from(length), reached <= most as i64) else {
            return not_there(&lengths);
        };
        let has_block = own >= size && (own - size).is_multiple_of(stride);
        latest.push(has_block.then(|| Latest { token: own - size, first: first as usize }));
    }
    if latest.len() != count {
        return not_there(&lengths);
    }
    let rows = places.saturating_mul(heads);
    if rows == 0 || len == 0 || count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = StagePlanner::default();
    let tables = vec![planner.table(input, len, Some(F32))?];
    let mut lists = vec![planner.list(weight, Some(F32))?, planner.list(&slots, None)?];
    if let Some(table) = &table {
        lists.push(planner.list(table, None)?);
    }
    let outputs = vec![planner.write(out, len, Some(F32))?];
    planner.rows("sum up blocks", [tables, lists, outputs], rows, move |row, tables, lists, outputs| {
        let ([weights, slots, table @ ..], [out]) = (lists, outputs) else { return Ok(false) };
        let slots: &[i32] = bytemuck::cast_slice(slots);
        let mut own = slots.iter().zip(&latest).enumerate().rev();
        let found = own.find_map(|(sequence, (slot, latest))| {
            latest.filter(|_| usize::try_from(*slot) == Ok(row / heads)).map(|latest| (sequence, latest))
        });
        let Some((sequence, latest)) = found else { return Ok(false) };
        sum_up(tables, weights, [row % heads, heads], out, |at| {
            let token = latest.token + at;
            let [table] = table else { return Ok(latest.first + token) };
            let table: &[i32] = bytemuck::cast_slice(table);
            let number =
                table.get(sequence * width + token / page).and_then(|number| usize::try_from(*number).ok());
            number.map(|number| number.saturating_mul(page) + token % page).ok_or_else(|| missing(token))
        })?;
        Ok(true)
    });
    Ok(planner.plan())
}

pub(super) fn compress_blocks_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["outputGrad", "input", "weight", "inputGradOut", "weightGradOut"];
    let [dy, input, weight, dx, dw] = call.tensors_of(names)?;
    check::alike(&[&dy, &input, &weight, &dx, &dw], signatures::compress_blocks_backward.takes)?;
    let [tokens, heads, len] = sizes::<3>(&input)?;
    let blocks = Blocks::of(call, "actSeqLenOptionalOptional", "layoutOptionalOptional", tokens)?;
    check::each(&[&weight, &dw], |operand| check::output_shape(operand, &[blocks.size, heads]))?;
    fit(&dx, dx.shape()? == input.shape()?)?;
    check::output_shape(&dy, &[blocks.count, heads, len])?;
    let mut planner = StagePlanner::default();
    let mut inputs = Vec::new();
    for operand in [&dy, &input, &weight] {
        inputs.push(planner.list(operand, Some(F32))?);
    }
    let outputs = [planner.write(&dx, dx.count(), Some(F32))?, planner.write(&dw, dw.count(), Some(F32))?];
    let body = LaneFunction::new("gradients of sums", move |_, inputs, outputs| {
        let ([dy, x, weight], [dx, dw]) = (inputs, outputs) else { return Ok(()) };
        let (dy, x): (&[f32], &[f32]) = (bytemuck::cast_slice(dy), bytemuck::cast_slice(x));
        let weight: &[f32] = bytemuck::cast_slice(weight);
        let (dx, dw): (&mut [f32], &mut [f32]) = (bytemuck::cast_slice_mut(dx), bytemuck::cast_slice_mut(dw));
        dx.fill(0.0);
        dw.fill(0.0);
        if len == 0 {
            return Ok(());
        }
        for ((block, head), dy) in (0..blocks.count)
            .flat_map(|block| (0..heads).map(move |head| (block, head)))
            .zip(dy.chunks_exact(len))
        {
            for at in 0..blocks.size {
                let row = ((blocks.token(block) + at) * heads + head) * len;
                let own = at * heads + head;
                let sum = dot(x.get(row..).unwrap_or_default(), dy);
                if let (Some(dw), Some(weight)) = (dw.get_mut(own), weight.get(own)) {
                    *dw += sum as f32;
                    add_scaled(dy, *weight, dx.get_mut(row..).unwrap_or_default());
                }
            }
        }
        Ok(())
    });
    planner.builder.lanes(inputs, outputs, 1, body);
    Ok(planner.plan())
}
