//! The keys with the greatest scores, and the gradients of scores.

use aclnn_numerics::DType::{BF16, F16, F32, I32};
use aclnn_numerics::product::Product::Ascend950;
use cann_kernels::LaneFunction;
use cann_kernels::networks::attention::{Causal, Indexer, Lengths, Sequences, Tokens};

use super::layout::{Given, Heads, causal, fit, not_there, of_keys, paged, unbounded};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::stage_planner::{Divided, StagePlanner, typed, within};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// Elements of a query and a key, and the most heads of queries.
const SIZE: usize = 128;
const HEADS: usize = 64;

/// The most keys that are chosen; more of them are a multiple of the second number, up to the third.
const CHOSEN: [i64; 3] = [2048, 1024, 8192];

/// The operands of a choice, and what it writes.
struct Choice<'a> {
    query: &'a Operand<'a>,
    key: &'a Operand<'a>,
    weights: &'a Operand<'a>,
    scales: Option<[&'a Operand<'a>; 2]>,
    given: Given<'a>,
    out: &'a Operand<'a>,
    values: Option<&'a Operand<'a>>,
}

impl Choice<'_> {
    fn plan(&self, call: &Call<'_>, most: i64) -> Result<Plan> {
        let layout = call.optional_text("layoutQueryOptional")?.unwrap_or_else(|| "BSND".to_owned());
        let own = call.optional_text("layoutKeyOptional")?.unwrap_or_else(|| "BSND".to_owned());
        let mut planner = StagePlanner::default();
        let (query, key) = (Heads::of(self.query, &layout)?, Heads::of(self.key, of_keys(&layout, &own)?)?);
        paged(&own, &key)?;
        let is_950 = settings::get().product == Ascend950;
        let heads = query.heads;
        let has_heads = match is_950 {
            true => [8, 16, 24, 32, 64].contains(&heads),
            false => (1..=HEADS).contains(&heads),
        };
        fit(self.query, has_heads && query.size == SIZE)?;
        fit(
            self.key,
            key.heads == 1 && key.size == SIZE && (own == "PA_BSND" || key.batches == query.batches),
        )?;
        query.list(self.weights, heads)?;
        unbounded(call.int("preTokens")?, call.int("nextTokens")?)?;
        let count = call.int("sparseCount")?;
        if !(1..=CHOSEN[0]).contains(&count) && (count > most || count % CHOSEN[1] != 0) {
            return invalid(format_args!(
                "sparseCount is {count}, but is at most {most}, and a multiple of {} above {}",
                CHOSEN[1], CHOSEN[0]
            ));
        }
        let chosen = within("sparseCount", count, 1..=most)?;
        for out in [Some(self.out), self.values].into_iter().flatten() {
            query.like(out, [1, chosen])?;
        }
        let mut tables = vec![
            planner.table(self.query, heads * SIZE, Some(F32))?,
            planner.table(self.key, SIZE, Some(F32))?,
            planner.table(self.weights, heads, Some(F32))?,
        ];
        if let Some([of_query, of_key]) = self.scales {
            query.list(of_query, heads)?;
            key.list(of_key, 1)?;
            tables.push(planner.table(of_query, heads, Some(F32))?);
            tables.push(planner.table(of_key, 1, Some(F32))?);
        }
        let mut lists = Vec::new();
        let sparse = causal(call.int("sparseMode")?)?;
        let sequences = self.given.sequences(&mut planner, &mut lists, (&own, &query, &key), sparse)?;
        if query.count() == 0 {
            return Ok(Plan::empty());
        }
        let mut outputs = vec![planner.write(self.out, chosen, Some(I32))?];
        if let Some(values) = self.values {
            outputs.push(planner.write(values, chosen, Some(F32))?);
        }
        let body = Indexer { sequences, heads, size: SIZE, is_scaled: self.scales.is_some() };
        planner.rows(
            "choose keys",
            [tables, lists, outputs],
            query.count(),
            move |row, tables, lists, outputs| body.choose(row, tables, lists, outputs),
        );
        Ok(planner.plan())
    }
}

/// Keys are chosen in the order of their scores, the greatest first.
pub(super) fn choose_keys(call: &Call<'_>) -> Result<Plan> {
    let [query, key, weights, out] = call.tensors_of(["query", "key", "weights", "sparseIndicesOut"])?;
    let names = ["actualSeqLengthsQueryOptional", "actualSeqLengthsKeyOptional", "blockTableOptional"];
    let [of_query, of_key, table] = call.optional_tensors_of(names)?;
    let values = call.optional_tensor("sparseValuesOut")?;
    let dtype = check::alike(&[&query, &key], signatures::choose_keys.takes)?;
    let is_950 = settings::get().product == Ascend950;
    typed(&weights, if is_950 { &[F16, BF16] } else { &[F16, BF16, F32] })?;
    if weights.known_dtype() != Some(dtype) && weights.known_dtype() != Some(F32) {
        return invalid(format_args!("weights must be {dtype}, or f32"));
    }
    check::exactly(&out, I32)?;
    let given = Given { lengths: [of_query.as_ref(), of_key.as_ref()], table: table.as_ref() };
    given.typed()?;
    let values = if call.flag("returnValues")? { values } else { None };
    check::all_exactly(values.as_slice(), dtype)?;
    Divided::Generated.check((|| {
        if call.flag("returnValues")?
            && (values.is_none() || call.optional_text("layoutKeyOptional")?.as_deref() == Some("PA_BSND"))
        {
            return invalid("values need an output, and keys that are not paged");
        }
        let choice = Choice {
            query: &query,
            key: &key,
            weights: &weights,
            scales: None,
            given,
            out: &out,
            values: values.as_ref(),
        };
        choice.plan(call, CHOSEN[2])
    })())
}

pub(super) fn choose_quantised_keys(call: &Call<'_>) -> Result<Plan> {
    let names = ["query", "key", "weights", "queryDequantScale", "keyDequantScale", "out"];
    let [query, key, weights, query_scale, key_scale, out] = call.tensors_of(names)?;
    let names = ["actualSeqLengthsQueryOptional", "actualSeqLengthsKeyOptional", "blockTableOptional"];
    let [of_query, of_key, table] = call.optional_tensors_of(names)?;
    check::alike(&[&query, &key], signatures::choose_quantised_keys.takes)?;
    check::each(&[&weights, &query_scale, &key_scale], |list| typed(list, &[F16, BF16, F32]))?;
    check::exactly(&out, I32)?;
    let given = Given { lengths: [of_query.as_ref(), of_key.as_ref()], table: table.as_ref() };
    given.typed()?;
    Divided::Generated.check((|| {
        if call.int("queryQuantMode")? != 0 || call.int("keyQuantMode")? != 0 {
            return invalid("queryQuantMode and keyQuantMode must be 0, a scale for each token and head");
        }
        let choice = Choice {
            query: &query,
            key: &key,
            weights: &weights,
            scales: Some([&query_scale, &key_scale]),
            given,
            out: &out,
            values: None,
        };
        choice.plan(call, CHOSEN[0])
    })())
}

pub(super) fn choose_keys_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["query", "key", "dy", "sparseIndices", "weights", "dqOut", "dkOut", "dweightsOut"];
    let [query, key, dy, chosen, weights, dq, dk, dw] = &call.tensors_of(names)?;
    let names = ["actualSeqQLenOptional", "actualSeqKvLenOptional"];
    let [of_query, of_key] = call.optional_tensors_of(names)?;
    check::alike(&[query, key, dy, weights, dq, dk, dw], signatures::choose_keys_backward.takes)?;
    check::exactly(chosen, I32)?;
    let given = Given { lengths: [of_query.as_ref(), of_key.as_ref()], table: None };
    given.typed()?;
    Divided::Generated.check((|| {
        let layout = call.optional_text("inputLayout")?.unwrap_or_else(|| "BSND".to_owned());
        let (own, keys) = (Heads::of(query, &layout)?, Heads::of(key, of_keys(&layout, &layout)?)?);
        let [heads, size] = [own.heads, own.size];
        let width = chosen.shape()?.last().copied().unwrap_or(0);
        fit(query, call.int("headNum")? == heads as i64 && heads > 0 && size > 0)?;
        fit(key, keys.heads == 1 && keys.size == size && keys.batches == own.batches)?;
        own.like(dq, [heads, size])?;
        keys.like(dk, [1, size])?;
        check::each(&[weights, dw], |list| own.list(list, heads))?;
        check::each(&[dy, chosen], |list| own.like(list, [1, width]))?;
        unbounded(call.int("preTokens")?, call.int("nextTokens")?)?;
        let mut planner = StagePlanner::default();
        let mut inputs = Vec::new();
        for (operand, seen) in [(query, F32), (key, F32), (dy, F32), (chosen, I32), (weights, F32)] {
            inputs.push(planner.list(operand, Some(seen))?);
        }
        let mut lists = Vec::new();
        let sparse = causal(call.int("sparseMode")?)?;
        let sequences = given.sequences(&mut planner, &mut lists, (&layout, &own, &keys), sparse)?;
        inputs.extend(lists);
        let mut outputs = Vec::new();
        for out in [dq, dk, dw] {
            let len = out.shape()?.numel().unwrap_or(0);
            outputs.push(planner.write(out, len, Some(F32))?);
        }
        let body = Indexer { sequences, heads, size, is_scaled: false };
        planner.builder.lanes(
            inputs,
            outputs,
            1,
            LaneFunction::new("gradients of scores", move |_, inputs, outputs| {
                body.gradients(inputs, outputs)
            }),
        );
        Ok(planner.plan())
    })())
}

/// Numbers of an array of the host, which may be null or empty.
pub(super) fn host(call: &Call<'_>, name: &str) -> Result<Option<Vec<i64>>> {
    let list = call.optional(name, Call::ints)?.map(|list| list.to_vec());
    Ok(list.filter(|list| !list.is_empty()))
}

/// The sequences of a layout, with lengths of the host: those of queries and keys.
pub(super) fn sequences_of_host(
    (layout, query, key): (&str, &Heads, &Heads),
    lengths: [Option<Vec<i64>>; 2],
    causal: Causal,
) -> Result<Sequences> {
    let is_joined = layout == "TND";
    let count = lengths[0].as_ref().map(Vec::len);
    let are_alike = lengths.iter().all(|list| list.as_ref().map(Vec::len) == count);
    let is_rising = |list: &Vec<i64>, tokens: usize| {
        list.windows(2).all(|pair| pair[0] <= pair[1])
            && list.iter().all(|end| (0..=tokens as i64).contains(end))
    };
    let fits = |(list, tokens): (&Option<Vec<i64>>, usize)| match list {
        None => !is_joined,
        Some(list) if is_joined => is_rising(list, tokens),
        Some(list) => list.len() == query.batches && list.iter().all(|len| (0..=tokens as i64).contains(len)),
    };
    if !are_alike || !lengths.iter().zip([query.tokens, key.tokens]).all(fits) {
        return not_there([
            lengths[0].as_deref().unwrap_or_default(),
            lengths[1].as_deref().unwrap_or_default(),
        ]);
    }
    let tokens = |heads: &Heads| if is_joined { Tokens::Joined } else { Tokens::Each(heads.tokens) };
    let [of_queries, of_keys] = lengths.map(|list| list.map_or(Lengths::Full, Lengths::Host));
    Ok(Sequences { queries: (tokens(query), of_queries), keys: (tokens(key), of_keys), table: 0, causal })
}

pub(super) fn scores_log_sum(call: &Call<'_>) -> Result<Plan> {
    let names = ["queryIndex", "keyIndex", "weight", "softmaxMaxOut", "softmaxSumOut"];
    let [query, key, weights, most, sum] = call.tensors_of(names)?;
    let dtype = check::alike(&[&query, &key], signatures::scores_log_sum.takes)?;
    typed(&weights, &[dtype, F32])?;
    check::all_exactly(&[&most, &sum], F32)?;
    Divided::Generated.check((|| {
        let layout = call.optional_text("layoutOptional")?.unwrap_or_else(|| "BSND".to_owned());
        let (own, keys) = (Heads::of(&query, &layout)?, Heads::of(&key, of_keys(&layout, &layout)?)?);
        let [heads, size] = [own.heads, own.size];
        fit(&query, heads > 0 && size > 0)?;
        fit(&key, keys.heads == 1 && keys.size == size && keys.batches == own.batches)?;
        own.list(&weights, heads)?;
        unbounded(call.int("preTokens")?, call.int("nextTokens")?)?;
        let lengths =
            [host(call, "actualSeqLengthsQueryOptional")?, host(call, "actualSeqLengthsKeyOptional")?];
        let sparse = causal(call.int("sparseMode")?)?;
        let sequences = sequences_of_host((&layout, &own, &keys), lengths, sparse)?;
        let mut planner = StagePlanner::default();
        let tables = vec![
            planner.table(&query, heads * size, Some(F32))?,
            planner.table(&key, size, Some(F32))?,
            planner.table(&weights, heads, Some(F32))?,
        ];
        let mut outputs = Vec::new();
        for out in [&most, &sum] {
            fit(out, out.shape()?.numel() == Some(own.count()))?;
            outputs.push(planner.write(out, 1, Some(F32))?);
        }
        if own.count() == 0 {
            return Ok(Plan::empty());
        }
        let body = Indexer { sequences, heads, size, is_scaled: false };
        planner.rows(
            "score keys",
            [tables, Vec::new(), outputs],
            own.count(),
            move |row, tables, lists, outputs| body.statistics(row, tables, lists, outputs),
        );
        Ok(planner.plan())
    })())
}
