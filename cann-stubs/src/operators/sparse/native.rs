//! Native sparse attention: attention over compressed blocks, which select blocks of keys, and attention over those where a model
//! answers, with keys in pages.

use aclnn_numerics::DType::{Bool, F32, I32, U8};
use cann_kernels::networks::attention::{
    Blocks, Causal, Chosen, Lengths, Ranked, Sequences, Statistics, Tokens,
};

use super::chosen::Parts;
use super::indexer::{host, sequences_of_host};
use super::layout::{Heads, Numbers, counts, fit, longest, not_joined, not_there};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::stage_planner::{StagePlanner, Used, sizes, typed};
use crate::operators::{check, signatures};
use crate::status::Result;

/// The most tokens of a compressed block, and of a selected one. CANN's limit is not known; every token of a block counts for each
/// of its strides, so that there has to be one.
const LARGEST: usize = 1 << 16;

/// The layout of a call and the heads of its queries, keys and values.
fn heads(
    call: &Call<'_>,
    [query, key, value]: [&Operand; 3],
    table: Option<&Operand>,
) -> Result<(String, [Heads; 3])> {
    let layout = call.optional_text("layoutOptional")?.unwrap_or_else(|| "BSND".to_owned());
    let count = usize::try_from(call.int("numKeyValueHeads")?).unwrap_or(0);
    let of_keys = |operand| match table {
        Some(_) => Heads::of_blocks(operand, count),
        None => Heads::of(operand, &layout),
    };
    let all = [Heads::of(query, &layout)?, of_keys(key)?, of_keys(value)?];
    fit(query, layout != "PA_BSND" && all[0].heads as i64 == call.int("numHeads")?)?;
    let is_page = table.is_none() || all[1].tokens as i64 == call.int("pageBlockSize")?;
    fit(key, all[1].heads == count && is_page)?;
    Ok((layout, all))
}

/// The sequences of queries and keys, of which keys may lie in pages that a table lists. Every key counts up to `causal`.
fn sequences(
    (planner, lists): (&mut StagePlanner, &mut Vec<Used>),
    (layout, heads): (&str, &[Heads; 3]),
    lengths: [Numbers; 2],
    table: Option<&Operand>,
    causal: Causal,
) -> Result<Sequences> {
    let [query, key, _] = heads;
    let Some(table) = table else { return sequences_of_host((layout, query, key), lengths, causal) };
    let [rows, width] = sizes::<2>(table)?;
    let [of_query, of_key] = lengths;
    let count = of_query.as_ref().map_or(query.batches, Vec::len);
    let queries = sequences_of_host((layout, query, query), [of_query.clone(), of_query], causal)?.queries;
    let most = width.saturating_mul(key.tokens) as i64;
    let Some(of_key) =
        of_key.filter(|list| list.len() == count && list.iter().all(|len| (0..=most).contains(len)))
    else {
        return invalid(format_args!(
            "paged keys need the number of keys of each of {count} sequences, up to {most}"
        ));
    };
    fit(table, rows == count)?;
    let number = lists.len();
    lists.push(planner.list(table, Some(I32))?);
    let keys = (Tokens::Paged { block: key.tokens, width }, Lengths::Host(of_key));
    Ok(Sequences { queries, keys, table: number, causal })
}

/// A table of blocks, if there is one.
fn table_of<'c>(call: &'c Call<'_>) -> Result<Option<Operand<'c>>> {
    let table = call.optional_tensor("blockTableOptional")?;
    check::all_exactly(table.as_slice(), I32)?;
    Ok(table)
}

pub(super) fn selected_attention_infer(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["query", "key", "value", "output"])?;
    let ([query, key, value, out], chosen) = (&tensors, call.tensor("topkIndices")?);
    check::alike(&[query, key, value, out], signatures::selected_attention_infer.takes)?;
    check::exactly(&chosen, I32)?;
    let table = table_of(call)?;
    let (layout, heads) = heads(call, [query, key, value], table.as_ref())?;
    let causal = match (call.int("sparseMode")?, call.optional_tensor("attenMaskOptional")?) {
        (0, None) => Causal::All,
        (0, Some(_)) => return check::not_emulated("attention over selected blocks with a mask of its own"),
        (3, _) => Causal::FromEnd,
        (other, _) => return invalid(format_args!("sparseMode is {other}, but must be 0 or 3")),
    };
    let block = usize::try_from(call.int("selectBlockSize")?).unwrap_or(0);
    let scale = call.float("scaleValue")? as f32;
    let parts = Parts { query, key, value, chosen: Some(&chosen), rope: None, heads, block, scale };
    parts.fit(table.is_some())?;
    let count = usize::try_from(call.int("selectBlockCount")?).ok();
    fit(&chosen, block > 0 && chosen.shape()?.last().copied() == count)?;
    let (mut planner, mut lists) = (StagePlanner::default(), Vec::new());
    let lengths = [host(call, "actualQSeqLenOptional")?, host(call, "actualKvSeqLenOptional")?];
    let sequences =
        sequences((&mut planner, &mut lists), (&layout, &heads), lengths, table.as_ref(), causal)?;
    let body = parts.body(sequences, None);
    parts.plan(planner, lists, body, (out, Vec::new()))
}

/// The mask of keys, or of selected blocks, with a row for each number of a query in its sequence. It has room for all queries and
/// so many columns.
fn mask(planner: &mut StagePlanner, operand: &Operand, [rows, columns]: [usize; 2]) -> Result<Used> {
    typed(operand, &[Bool, U8])?;
    let [own_rows, own_columns] = sizes::<2>(operand)?;
    fit(operand, own_rows >= rows && own_columns >= columns)?;
    planner.table(operand, own_columns, None)
}

/// Adds the stage of attention over compressed blocks; `known` are the outputs for what is known of each head.
fn ranked(
    call: &Call<'_>,
    parts: &Parts<'_>,
    (mut planner, lists, sequences): (StagePlanner, Vec<Used>, Sequences),
    (queries, keys, selected): (usize, usize, Vec<usize>),
    (out, known, ranks): (&Operand, Vec<Used>, &Operand),
) -> Result<Plan> {
    let [query, key, value] = parts.heads;
    let stride = if call.has("compressStride") { "compressStride" } else { "compressBlockStride" };
    let names = [stride, "compressBlockSize", "selectBlockSize", "selectBlockCount"];
    let mut numbers = [0; 4];
    for (to, name) in numbers.iter_mut().zip(names) {
        *to = usize::try_from(call.int(name)?).unwrap_or(0);
    }
    let [stride, compressed, wide, count] = numbers;
    let is_multiple = |size: usize| size > 0 && size.is_multiple_of(stride.max(1));
    if stride == 0 || count == 0 || !is_multiple(compressed) || !is_multiple(wide) {
        return invalid(format_args!(
            "{} is {stride}, compressBlockSize {compressed}, selectBlockSize {wide} and selectBlockCount {count}, but all must be \
             positive, and sizes multiples of the stride",
            names[0]
        ));
    }
    if compressed.max(wide) > LARGEST {
        return check::not_emulated(format_args!(
            "compressBlockSize {compressed} and selectBlockSize {wide}, so both must be {LARGEST} at most"
        ));
    }
    let has_mask = match call.int("sparseMode")? {
        0 => true,
        1 if call.optional_tensor(mask_name(call))?.is_some() => true,
        other => {
            return invalid(format_args!("sparseMode is {other}, but must be 0, or 1 if there is a mask"));
        }
    };
    query.like(out, [query.heads, value.size])?;
    query.like(ranks, [key.heads, count])?;
    check::exactly(ranks, I32)?;
    if query.count() == 0 {
        return Ok(Plan::empty());
    }
    let mut tables = parts.tables(&mut planner)?;
    let mut masks = [None; 2];
    let blocks = selected.iter().copied().max().unwrap_or(0);
    let names =
        [mask_name(call), if call.has("topkMaskOptional") { "topkMaskOptional" } else { "topKMaskOptional" }];
    for ((to, name), columns) in masks.iter_mut().zip(names).zip([keys, blocks]) {
        if let Some(operand) = call.optional_tensor(name)?.filter(|_| has_mask) {
            *to = Some(tables.len());
            tables.push(mask(&mut planner, &operand, [queries, columns])?);
        }
    }
    let [groups, each] = parts.groups();
    let mut outputs = vec![planner.write(out, each * value.size, Some(F32))?];
    outputs.extend(known);
    outputs.push(planner.write(ranks, count, None)?);
    let attention = Chosen { blocks: Blocks::All, ..parts.body(sequences, None) };
    let body = Ranked { attention, masks, strides: [compressed / stride, wide / stride], counts: selected };
    let rows = query.count() * groups;
    planner.rows("attention", [tables, lists, outputs], rows, move |row, tables, lists, outputs| {
        body.row(row, tables, lists, outputs)
    });
    Ok(planner.plan())
}

/// The name of the mask of keys.
fn mask_name(call: &Call<'_>) -> &'static str {
    if call.has("attenMaskOptional") { "attenMaskOptional" } else { "attentionMaskOptional" }
}

/// The numbers of selected blocks of each sequence; none if they are not given.
fn selected(lengths: &Numbers, count: Option<usize>, is_joined: bool) -> Result<Vec<usize>> {
    let Some(list) = lengths else { return Ok(Vec::new()) };
    let counts = counts(list, is_joined);
    let fits = count.is_none_or(|count| count == counts.len())
        && counts.iter().all(|count| i32::try_from(*count).is_ok())
        && list.iter().all(|number| *number >= 0);
    match fits {
        true => Ok(counts),
        false => not_there(list),
    }
}

pub(super) fn compress_attention(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["query", "key", "value", "attentionOutOut"])?;
    let [query, key, value, out] = &tensors;
    let [most, sum, ranks] = call.tensors_of(["softmaxMaxOut", "softmaxSumOut", "topkIndicesOut"])?;
    check::alike(&[query, key, value, out], signatures::compress_attention.takes)?;
    let layout = call.optional_text("inputLayout")?;
    if layout.as_deref() != Some("TND") {
        return not_joined(layout);
    }
    let heads = [Heads::of(query, "TND")?, Heads::of(key, "TND")?, Heads::of(value, "TND")?];
    let scale = call.float("scaleValue")? as f32;
    let parts = Parts { query, key, value, chosen: None, rope: None, heads, block: 1, scale };
    parts.fit(false)?;
    let [own, of_keys, _] = &heads;
    fit(query, own.heads as i64 == call.int("headNum")?)?;
    let lengths = [host(call, "actualSeqQLenOptional")?, host(call, "actualCmpSeqKvLenOptional")?];
    let longest = [longest(&lengths[0], own, true), longest(&lengths[1], of_keys, true)];
    let count = lengths[0].as_ref().map(Vec::len);
    let selected = selected(&host(call, "actualSelSeqKvLenOptional")?, count, true)?;
    let (mut planner, mut lists) = (StagePlanner::default(), Vec::new());
    let sequences = sequences((&mut planner, &mut lists), ("TND", &heads), lengths, None, Causal::All)?;
    let mut known = Vec::new();
    for out in [&most, &sum] {
        check::exactly(out, F32)?;
        own.like(out, [own.heads, Statistics::COPIES])?;
        known.push(planner.write(out, parts.groups()[1] * Statistics::COPIES, Some(F32))?);
    }
    let sizes = (longest[0], longest[1], selected);
    ranked(call, &parts, (planner, lists, sequences), sizes, (out, known, &ranks))
}

pub(super) fn compress_attention_infer(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["query", "key", "value", "output"])?;
    let ([query, key, value, out], ranks) = (&tensors, call.tensor("topKOutput")?);
    check::alike(&[query, key, value, out], signatures::compress_attention_infer.takes)?;
    let table = table_of(call)?;
    let (layout, heads) = heads(call, [query, key, value], table.as_ref())?;
    let scale = call.float("scaleValue")? as f32;
    let parts = Parts { query, key, value, chosen: None, rope: None, heads, block: 1, scale };
    parts.fit(table.is_some())?;
    let [own, of_keys, _] = &heads;
    let (is_joined, is_paged) = (layout == "TND", table.is_some());
    let lengths = [host(call, "actualQSeqLenOptional")?, host(call, "actualCmpKvSeqLenOptional")?];
    let longest =
        [longest(&lengths[0], own, is_joined), longest(&lengths[1], of_keys, is_joined && !is_paged)];
    let count = lengths[0].as_ref().map(Vec::len).or_else(|| (!is_joined).then_some(own.batches));
    let selected = selected(&host(call, "actualSelKvSeqLenOptional")?, count, is_joined && !is_paged)?;
    let (mut planner, mut lists) = (StagePlanner::default(), Vec::new());
    let sequences =
        sequences((&mut planner, &mut lists), (&layout, &heads), lengths, table.as_ref(), Causal::All)?;
    let sizes = (longest[0], longest[1], selected);
    ranked(call, &parts, (planner, lists, sequences), sizes, (out, Vec::new(), &ranks))
}
