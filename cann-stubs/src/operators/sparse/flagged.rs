//! Attention over blocks of queries and keys that flags choose, and its gradients.

use aclnn_numerics::DType::{Bool, F32, I8, I32, U8};
use cann_kernels::networks::attention::{Blocks, Causal, Chosen};
use cann_kernels::{LaneFunction, View};

use super::indexer::{host, sequences_of_host};
use super::layout::{Heads, fit, longest, unbounded};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::stage_planner::{StagePlanner, sizes, typed};
use crate::operators::{check, signatures};
use crate::status::Result;

/// Queries and keys of a block, unless a call says otherwise.
const BLOCK: i64 = 128;

/// A view whose tokens have their heads one after the other.
fn in_tokens(operand: &Operand) -> Result<View> {
    let order: &[usize] = if operand.rank() == 4 { &[0, 2, 1, 3] } else { &[0, 1, 2] };
    operand.permuted(check::any_dtype(operand)?, order)
}

/// Attention over flagged blocks, checked.
struct Flagged<'c> {
    heads: [Heads; 3],
    flags: Option<Operand<'c>>,
    body: Chosen,
}

impl<'c> Flagged<'c> {
    fn of(call: &'c Call<'_>, [query, key, value]: [&Operand; 3]) -> Result<Self> {
        let layout = call.optional_text("qInputLayout")?;
        let is_joined = match (layout.as_deref(), call.optional_text("kvInputLayout")?) {
            (Some(own @ ("TND" | "BNSD")), Some(of_keys)) if own == of_keys => own == "TND",
            (_, of_keys) => {
                return invalid(format_args!(
                    "qInputLayout is {} and kvInputLayout {}, but both must be TND, or both BNSD",
                    check::shown(layout.as_deref()),
                    check::shown(of_keys.as_deref())
                ));
            }
        };
        for name in
            ["qDequantScaleOptional", "kDequantScaleOptional", "vDequantScaleOptional", "pQuantScaleOptional"]
        {
            if call.has(name) && call.optional_tensor(name)?.is_some() {
                return check::not_emulated("attention over flagged blocks with scales");
            }
        }
        if call.optional_tensor("attenMaskOptional")?.is_some() {
            return check::not_emulated("attention over flagged blocks with a mask of its own");
        }
        if call.has("blockTableOptional") && call.optional_tensor("blockTableOptional")?.is_some() {
            return check::not_emulated("attention over flagged blocks with keys in pages");
        }
        unbounded(call.int("preTokens")?, call.int("nextTokens")?)?;
        if call.has("quantMode") && (call.int("quantMode")?, call.float("dstTypeMax")?) != (0, 0.0) {
            return check::not_emulated(
                "attention over flagged blocks that is quantised, so quantMode and dstTypeMax must be 0",
            );
        }
        let mask = call.int("maskType")?;
        if mask != 0 {
            return invalid(format_args!("maskType is {mask}, but must be 0"));
        }
        let of = |operand| if is_joined { Heads::of(operand, "TND") } else { Heads::of_heads(operand) };
        let heads = [of(query)?, of(key)?, of(value)?];
        let [own, of_keys, of_values] = &heads;
        let fits =
            own.size > 0 && of_keys.heads > 0 && own.heads > 0 && own.heads.is_multiple_of(of_keys.heads);
        fit(query, fits)?;
        fit(
            key,
            of_keys.size == own.size
                && of_keys.batches == own.batches
                && call.int("numKeyValueHeads")? == of_keys.heads as i64,
        )?;
        fit(
            value,
            of_values.size > 0
                && [of_values.batches, of_values.tokens, of_values.heads]
                    == [of_keys.batches, of_keys.tokens, of_keys.heads],
        )?;
        let lengths = [host(call, "actualSeqLengthsOptional")?, host(call, "actualSeqLengthsKvOptional")?];
        let count = lengths[0].as_ref().map_or(own.batches, Vec::len);
        let layout = if is_joined { "TND" } else { "BSND" };
        let most = [longest(&lengths[0], own, is_joined), longest(&lengths[1], of_keys, is_joined)];
        let sequences = sequences_of_host((layout, own, of_keys), lengths, Causal::All)?;
        let shape = host(call, "blockShapeOptional")?.unwrap_or_else(|| vec![BLOCK; 2]);
        let positive = |number: i64| usize::try_from(number).ok().filter(|number| *number > 0);
        let sizes_of_block = match shape[..] {
            [queries, block] => positive(queries).zip(positive(block)),
            _ => None,
        };
        let Some((queries, block)) = sizes_of_block else {
            return invalid(format_args!(
                "blockShapeOptional is {shape:?}, but must be two positive numbers"
            ));
        };
        let flags = call.optional_tensor("blockSparseMaskOptional")?;
        let mut blocks = Blocks::All;
        if let Some(flags) = &flags {
            typed(flags, &[Bool, I8, U8])?;
            let [batches, of_heads, rows, width] = sizes::<4>(flags)?;
            let has_room = rows >= most[0].div_ceil(queries) && width >= most[1].div_ceil(block);
            fit(flags, has_room && batches == count && of_heads == own.heads)?;
            blocks = Blocks::Flagged { queries, rows, width };
        }
        let body = Chosen {
            sequences,
            groups: [own.heads, 1],
            share: own.heads / of_keys.heads,
            blocks,
            sizes: [own.size, 0, of_values.size],
            block,
            scale: call.float("scaleValue")? as f32,
            sinks: None,
        };
        Ok(Self { heads, flags, body })
    }

    /// Checks an operand with the tokens and heads of queries, and so many elements of each.
    fn like(&self, operand: &Operand, query: &Operand, size: usize) -> Result {
        let (shape, own) = (operand.shape()?, query.shape()?);
        let fits = shape
            .split_last()
            .zip(own.split_last())
            .is_some_and(|((last, axes), (_, of_query))| axes == of_query && *last == size);
        fit(operand, fits)
    }
}

pub(super) fn flagged_attention(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["query", "key", "value", "attentionOut"])?;
    let [query, key, value, out] = &tensors;
    check::alike(&[query, key, value, out], signatures::flagged_attention.takes)?;
    let flagged = Flagged::of(call, [query, key, value])?;
    let [own, of_keys, of_values] = &flagged.heads;
    flagged.like(out, query, of_values.size)?;
    let log = match call.int("softmaxLseFlag")? {
        0 => None,
        1 => match call.optional_tensor("softmaxLseOptional")? {
            Some(log) => Some(log),
            None => return invalid("softmaxLseFlag is 1, but there is no output for it"),
        },
        other => return invalid(format_args!("softmaxLseFlag is {other}, but must be 0 or 1")),
    };
    if let Some(log) = &log {
        check::exactly(log, F32)?;
        flagged.like(log, query, 1)?;
    }
    let count = own.count().saturating_mul(own.heads);
    if count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = StagePlanner::default();
    let mut tables = Vec::new();
    for (operand, len) in [(query, own.size), (key, of_keys.size), (value, of_values.size)] {
        tables.push(planner.table_view(operand, in_tokens(operand)?, len, Some(F32))?);
    }
    if let Some(flags) = &flagged.flags {
        tables.push(planner.table(flags, flags.shape()?[3], Some(I32))?);
    }
    let mut outputs = vec![planner.write_view(out, in_tokens(out)?, of_values.size, Some(F32))?];
    if let Some(log) = &log {
        outputs.push(planner.write_view(log, in_tokens(log)?, 1, None)?);
    }
    let body = flagged.body;
    planner.rows("attention", [tables, Vec::new(), outputs], count, move |row, tables, lists, outputs| {
        body.row_and_log(row, tables, lists, outputs)
    });
    Ok(planner.plan())
}

pub(super) fn flagged_attention_backward(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["query", "key", "value", "dout", "attentionOut", "dq", "dk", "dv"])?;
    let [query, key, value, dy, y, dq, dk, dv] = &tensors;
    let log = call.tensor("softmaxLse")?;
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::flagged_attention_backward.takes)?;
    check::exactly(&log, F32)?;
    let flagged = Flagged::of(call, [query, key, value])?;
    let wide = flagged.heads[2].size;
    check::each(&[dy, y], |operand| flagged.like(operand, query, wide))?;
    flagged.like(&log, query, 1)?;
    for (grad, own) in [(dq, query), (dk, key), (dv, value)] {
        check::output_shape(grad, own.shape()?)?;
    }
    let mut planner = StagePlanner::default();
    let mut inputs = Vec::new();
    for operand in [query, key, value, dy, y, &log] {
        inputs.push(planner.read_view(operand, in_tokens(operand)?, operand.count(), Some(F32))?);
    }
    if let Some(flags) = &flagged.flags {
        inputs.push(planner.list(flags, Some(I32))?);
    }
    let mut outputs = Vec::new();
    for operand in [dq, dk, dv] {
        outputs.push(planner.write_view(operand, in_tokens(operand)?, operand.count(), Some(F32))?);
    }
    let body = flagged.body;
    let step = LaneFunction::new("gradients of attention", move |_, inputs, outputs| {
        body.gradients(0, inputs, outputs)
    });
    planner.builder.lanes(inputs, outputs, 1, step);
    Ok(planner.plan())
}
