//! Blocks of tokens that overlap, each summed up with weights.

use aclnn_numerics::DType::F32;
use cann_kernels::LaneFunction;

use super::indexer::host;
use super::layout::fit;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::draft::{Draft, shaped, sizes};
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
        let size = usize::try_from(call.int("compressBlockSize")?).unwrap_or(0);
        let stride = usize::try_from(call.int("compressStride")?).unwrap_or(0);
        let layout = call.optional_text(layout)?;
        let is_known =
            matches!(layout.as_deref(), None | Some("" | "TND")) && call.int("actSeqLenType")? == 0;
        if size == 0 || stride == 0 || !is_known {
            return invalid(format_args!(
                "compressBlockSize is {size} and compressStride {stride}, which are positive; the layout is TND, and \
                 actSeqLenType 0"
            ));
        }
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

pub(super) fn compress_blocks(call: &Call<'_>) -> Result<Plan> {
    let (input, weight, out) = (call.tensor("input")?, call.tensor("weight")?, call.tensor("output")?);
    check::alike(&[&input, &weight, &out], signatures::compress_blocks.takes)?;
    let [tokens, heads, len] = sizes::<3>(&input)?;
    let blocks = Blocks::of(call, "actSeqLenOptional", "layoutOptional", tokens)?;
    shaped(&weight, &[blocks.size, heads])?;
    shaped(&out, &[blocks.count, heads, len])?;
    let count = blocks.count * heads;
    if count * len == 0 {
        return Ok(Plan::empty());
    }
    let mut draft = Draft::default();
    let tables = vec![draft.table(&input, len, Some(F32))?];
    let lists = vec![draft.list(&weight, Some(F32))?];
    let outputs = vec![draft.write(&out, len, Some(F32))?];
    draft.rows("sum up blocks", [tables, lists, outputs], count, move |row, tables, lists, outputs| {
        let ([weights], [out]) = (lists, outputs) else { return Ok(false) };
        let (block, head) = (row / heads, row % heads);
        let (weights, out): (&[f32], &mut [f32]) =
            (bytemuck::cast_slice(weights), bytemuck::cast_slice_mut(out));
        out.fill(0.0);
        for (at, weight) in weights.iter().skip(head).step_by(heads).enumerate() {
            let token = blocks.token(block) + at;
            tables.visit::<f32>(0, (token * heads + head) as i64, &mut |x| {
                out.iter_mut().zip(x).for_each(|(sum, x)| *sum += weight * x);
            })?;
        }
        Ok(true)
    });
    Ok(draft.plan())
}

pub(super) fn compress_blocks_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["outputGrad", "input", "weight", "inputGradOut", "weightGradOut"];
    let [dy, input, weight, dx, dw] = names.map(|name| call.tensor(name));
    let (dy, input, weight, dx, dw) = (dy?, input?, weight?, dx?, dw?);
    check::alike(&[&dy, &input, &weight, &dx, &dw], signatures::compress_blocks_backward.takes)?;
    let [tokens, heads, len] = sizes::<3>(&input)?;
    let blocks = Blocks::of(call, "actSeqLenOptionalOptional", "layoutOptionalOptional", tokens)?;
    [&weight, &dw].into_iter().try_for_each(|operand| shaped(operand, &[blocks.size, heads]))?;
    fit(&dx, dx.shape()? == input.shape()?)?;
    shaped(&dy, &[blocks.count, heads, len])?;
    let mut draft = Draft::default();
    let mut inputs = Vec::new();
    for operand in [&dy, &input, &weight] {
        inputs.push(draft.list(operand, Some(F32))?);
    }
    let all = |operand: &Operand| operand.shape().ok().and_then(|shape| shape.numel()).unwrap_or(0);
    let outputs = [draft.write(&dx, all(&dx), Some(F32))?, draft.write(&dw, all(&dw), Some(F32))?];
    let body = LaneFunction::new("gradients of sums", move |_, inputs, outputs| {
        let ([dy, x, weight], [dx, dw]) = (inputs, outputs) else { return Ok(()) };
        let [dy, x, weight]: [&[f32]; 3] = [dy, x, weight].map(|bytes| bytemuck::cast_slice(bytes));
        let [dx, dw]: [&mut [f32]; 2] = [dx, dw].map(|bytes| bytemuck::cast_slice_mut(bytes));
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
                let sum: f64 = x.iter().skip(row).zip(dy).map(|(x, dy)| f64::from(*x) * f64::from(*dy)).sum();
                if let (Some(dw), Some(weight)) = (dw.get_mut(own), weight.get(own)) {
                    *dw += sum as f32;
                    dx.iter_mut().skip(row).zip(dy).for_each(|(dx, dy)| *dx += weight * dy);
                }
            }
        }
        Ok(())
    });
    draft.builder.lanes(inputs, outputs, 1, body);
    Ok(draft.plan())
}
