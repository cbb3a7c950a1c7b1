//! Attention over chosen keys, and its gradients.

use aclnn_numerics::DType::{self, F32, I32};
use aclnn_numerics::product::Product::Ascend950;
use cann_kernels::LaneFunction;
use cann_kernels::networks::attention::{Blocks, Causal, Chosen, Sequences, Statistics};

use super::indexer::{host, sequences_of_host};
use super::layout::{Given, Heads, causal, fit, not_joined, of_keys, paged, statistics};
use crate::mapped::try_mapped;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::stage_planner::{Divided, StagePlanner, Used};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// Elements of a latent query, of its separate rotary part, and the most heads of queries.
const SIZE: usize = 512;
const ROPE: usize = 64;
const HEADS: usize = 128;

/// The most keys of a chosen block.
const BLOCK: i64 = 128;

/// The operands of attention over chosen keys.
pub(super) struct Parts<'a> {
    pub(super) query: &'a Operand<'a>,
    pub(super) key: &'a Operand<'a>,
    pub(super) value: &'a Operand<'a>,
    /// Lists of blocks; there is none where every key counts.
    pub(super) chosen: Option<&'a Operand<'a>>,
    pub(super) rope: Option<[&'a Operand<'a>; 2]>,
    pub(super) heads: [Heads; 3],
    pub(super) block: usize,
    pub(super) scale: f32,
}

impl Parts<'_> {
    fn sizes(&self) -> [usize; 3] {
        let [query, _, value] = self.heads;
        [query.size, if self.rope.is_some() { ROPE } else { 0 }, value.size]
    }

    /// Heads of keys, and those of queries for each.
    pub(super) fn groups(&self) -> [usize; 2] {
        let [query, key, _] = self.heads;
        [key.heads, query.heads / key.heads.max(1)]
    }

    /// The blocks of a list.
    fn width(&self) -> usize {
        let shape = self.chosen.and_then(|chosen| chosen.shape().ok());
        shape.and_then(|shape| shape.last().copied()).unwrap_or(0)
    }

    pub(super) fn body(&self, sequences: Sequences, sinks: Option<usize>) -> Chosen {
        Chosen {
            sequences,
            groups: self.groups(),
            share: 1,
            blocks: Blocks::Listed { width: self.width() },
            sizes: self.sizes(),
            block: self.block,
            scale: self.scale,
            sinks,
        }
    }

    /// Checks queries, keys and values with each other, and the chosen blocks.
    pub(super) fn fit(&self, is_paged: bool) -> Result {
        let [query, key, value] = self.heads;
        fit(
            self.query,
            ![query.heads, query.size, key.heads].contains(&0) && query.heads.is_multiple_of(key.heads),
        )?;
        fit(self.key, key.size == query.size && (is_paged || key.batches == query.batches))?;
        let are_alike =
            value.batches == key.batches && value.tokens == key.tokens && value.heads == key.heads;
        fit(self.value, are_alike && value.size > 0)?;
        check::each(self.chosen.as_slice(), |chosen| query.like(chosen, [key.heads, self.width()]))?;
        let Some([of_query, of_key]) = self.rope else { return Ok(()) };
        query.like(of_query, [query.heads, ROPE])?;
        key.like(of_key, [key.heads, ROPE])
    }

    /// The rows of queries, keys and values.
    pub(super) fn tables(&self, planner: &mut StagePlanner) -> Result<Vec<Used>> {
        let ([size, _, wide], each) = (self.sizes(), self.groups()[1]);
        let all = [(self.query, each * size), (self.key, size), (self.value, wide)];
        try_mapped(&all, |(operand, len)| planner.table(operand, *len, Some(F32)))
    }

    /// Adds the stage that computes the result and, if there are outputs for them, the statistics of each head.
    pub(super) fn plan(
        &self,
        mut planner: StagePlanner,
        lists: Vec<Used>,
        body: Chosen,
        (out, known): (&Operand, Vec<Used>),
    ) -> Result<Plan> {
        let [query, _, value] = self.heads;
        let ([groups, each], rope) = (self.groups(), self.sizes()[1]);
        query.like(out, [query.heads, value.size])?;
        if query.count() == 0 {
            return Ok(Plan::empty());
        }
        let mut tables = self.tables(&mut planner)?;
        if let Some(chosen) = self.chosen {
            tables.push(planner.table(chosen, self.width(), Some(I32))?);
        }
        if let Some([of_query, of_key]) = self.rope {
            tables.push(planner.table(of_query, each * rope, Some(F32))?);
            tables.push(planner.table(of_key, rope, Some(F32))?);
        }
        let mut outputs = vec![planner.write(out, each * value.size, Some(F32))?];
        outputs.extend(known);
        planner.rows(
            "attention",
            [tables, lists, outputs],
            query.count() * groups,
            move |row, tables, lists, outputs| body.row(row, tables, lists, outputs),
        );
        Ok(planner.plan())
    }

    /// The plan of the gradients. The operands are the gradient of the result, the result, and what is known of each head, so
    /// many times.
    fn backward(
        &self,
        mut planner: StagePlanner,
        lists: Vec<Used>,
        body: Chosen,
        [dy, y]: [&Operand; 2],
        (known, copies): ([Used; 2], usize),
        outputs: &[&Operand],
    ) -> Result<Plan> {
        let mut inputs = Vec::new();
        for operand in [self.query, self.key, self.value, dy, y] {
            inputs.push(planner.list(operand, Some(F32))?);
        }
        inputs.extend(known);
        if let Some(chosen) = self.chosen {
            inputs.push(planner.list(chosen, Some(I32))?);
        }
        for operand in self.rope.into_iter().flatten() {
            inputs.push(planner.list(operand, Some(F32))?);
        }
        inputs.extend(lists);
        let mut written = Vec::new();
        for operand in outputs {
            let len = operand.shape()?.numel().unwrap_or(0);
            written.push(planner.write(operand, len, Some(F32))?);
        }
        let step = LaneFunction::new("gradients of attention", move |_, inputs, outputs| {
            body.gradients(copies, inputs, outputs)
        });
        planner.builder.lanes(inputs, written, 1, step);
        Ok(planner.plan())
    }
}

/// Attributes that latent attention has in both directions.
fn latent(parts: &Parts<'_>, block: i64, mode: i64) -> Result<Causal> {
    let [query, key, value] = parts.heads;
    let fits = query.size == SIZE
        && value.size == SIZE
        && key.heads == 1
        && query.heads <= HEADS
        && parts.rope.is_some()
        && (1..=BLOCK).contains(&block)
        && (block as u64).is_power_of_two()
        && (block == 1 || settings::get().product != Ascend950);
    match fits {
        true => causal(mode),
        false => invalid(format_args!(
            "there are {} heads of {} elements, {} of keys, and blocks of {block} keys; heads have {SIZE} elements and {ROPE} \
             of a separate rotary part, {HEADS} share one of keys at most, and a block has a power of two up to {BLOCK} keys (one on the \
             950)",
            query.heads, query.size, key.heads
        )),
    }
}

fn both<'a>(query: &'a Option<Operand<'a>>, key: &'a Option<Operand<'a>>) -> Option<[&'a Operand<'a>; 2]> {
    query.as_ref().zip(key.as_ref()).map(|(query, key)| [query, key])
}

pub(super) fn chosen_attention(call: &Call<'_>) -> Result<Plan> {
    let names = ["query", "key", "value", "sparseIndices", "attentionOut"];
    let [query, key, value, chosen, out] = call.tensors_of(names)?;
    let optional = |name| if call.has(name) { call.optional_tensor(name) } else { Ok(None) };
    let names = ["actualSeqLengthsQueryOptional", "actualSeqLengthsKvOptional", "blockTableOptional"];
    let [of_query, of_key, table] = names.map(optional);
    let (of_query, of_key, table) = (of_query?, of_key?, table?);
    let (query_rope, key_rope) = (optional("queryRopeOptional")?, optional("keyRopeOptional")?);
    let sinks = optional("sinksOptional")?;
    let (most, sum) = (optional("softmaxMax")?, optional("softmaxSum")?);
    let rope = both(&query_rope, &key_rope);
    let mut floats = vec![&query, &key, &value, &out];
    floats.extend(rope.into_iter().flatten());
    check::alike(&floats, signatures::chosen_attention.takes)?;
    check::exactly(&chosen, I32)?;
    check::all_exactly(sinks.as_slice(), F32)?;
    let given = Given { lengths: [of_query.as_ref(), of_key.as_ref()], table: table.as_ref() };
    given.typed()?;
    Divided::Generated.check((|| {
        let layout = call.optional_text("layoutQueryOptional")?.unwrap_or_else(|| "BSND".to_owned());
        let own = call.optional_text("layoutKvOptional")?.unwrap_or_else(|| "BSND".to_owned());
        let of_keys = of_keys(&layout, &own)?;
        let heads = [Heads::of(&query, &layout)?, Heads::of(&key, of_keys)?, Heads::of(&value, of_keys)?];
        let block = call.int("sparseBlockSizeOptional")?;
        let scale = call.float("scaleValue")? as f32;
        let parts = Parts {
            query: &query,
            key: &key,
            value: &value,
            chosen: Some(&chosen),
            rope,
            heads,
            block: usize::try_from(block).unwrap_or(0),
            scale,
        };
        let causal = latent(&parts, block, call.int("sparseMode")?)?;
        paged(&own, &heads[1])?;
        let is_paged = own == "PA_BSND";
        parts.fit(is_paged)?;
        if call.int("attentionMode")? != 2 || is_paged && heads[1].tokens % parts.block != 0 {
            return invalid("attentionMode must be 2, and chosen blocks parts of those of a cache");
        }
        let mut planner = StagePlanner::default();
        let mut lists = Vec::new();
        let sequences = given.sequences(&mut planner, &mut lists, (&own, &heads[0], &heads[1]), causal)?;
        let number = sinks.as_ref().map(|_| lists.len());
        if let Some(sinks) = &sinks {
            check::output_shape(sinks, &[heads[0].heads])?;
            lists.push(planner.list(sinks, Some(F32))?);
        }
        let mut known = Vec::new();
        if call.flag("returnSoftmaxLse")? {
            let (Some(most), Some(sum), false) = (&most, &sum, is_paged) else {
                return invalid("softmaxMax and softmaxSum need outputs, and keys that are not paged");
            };
            for out in [most, sum] {
                known.push(statistics(&mut planner, out, &heads[0], parts.groups())?);
            }
        }
        let body = parts.body(sequences, number);
        parts.plan(planner, lists, body, (&out, known))
    })())
}

pub(super) fn chosen_attention_backward(call: &Call<'_>) -> Result<Plan> {
    let names = [
        "query",
        "key",
        "value",
        "sparseIndices",
        "dOut",
        "out",
        "softmaxMax",
        "softmaxSum",
        "dQueryOut",
        "dKeyOut",
        "dValueOut",
    ];
    let [query, key, value, chosen, dy, y, most, sum, dq, dk, dv] = &call.tensors_of(names)?;
    let names = [
        "actualSeqLengthsQueryOptional",
        "actualSeqLengthsKvOptional",
        "queryRopeOptional",
        "keyRopeOptional",
        "dQueryRopeOutOptional",
        "dKeyRopeOutOptional",
    ];
    let [of_query, of_key, query_rope, key_rope, d_query_rope, d_key_rope] =
        names.map(|name| call.optional_tensor(name));
    let (of_query, of_key) = (of_query?, of_key?);
    let (query_rope, key_rope, d_query_rope, d_key_rope) =
        (query_rope?, key_rope?, d_query_rope?, d_key_rope?);
    let (rope, d_rope) = (both(&query_rope, &key_rope), both(&d_query_rope, &d_key_rope));
    let mut floats = vec![query, key, value, dy, y, dq, dk, dv];
    floats.extend(rope.into_iter().chain(d_rope).flatten());
    check::alike(&floats, signatures::chosen_attention_backward.takes)?;
    check::exactly(chosen, I32)?;
    let given = Given { lengths: [of_query.as_ref(), of_key.as_ref()], table: None };
    given.typed()?;
    Divided::Generated.check((|| {
        let layout = call.optional_text("layoutOptional")?.unwrap_or_else(|| "BSND".to_owned());
        let heads = [Heads::of(query, &layout)?, Heads::of(key, &layout)?, Heads::of(value, &layout)?];
        let block = call.int("sparseBlockSize")?;
        let scale = call.float("scaleValue")? as f32;
        let block_size = usize::try_from(block).unwrap_or(0);
        let parts = Parts { query, key, value, chosen: Some(chosen), rope, heads, block: block_size, scale };
        let causal = latent(&parts, block, call.int("sparseMode")?)?;
        of_keys(&layout, &layout)?;
        parts.fit(false)?;
        let [of_queries, of_keys, of_values] = heads;
        check::each(&[dy, y], |out| of_queries.like(out, [of_queries.heads, SIZE]))?;
        of_queries.like(dq, [of_queries.heads, SIZE])?;
        of_keys.like(dk, [of_keys.heads, SIZE])?;
        of_values.like(dv, [of_values.heads, SIZE])?;
        let Some([d_query, d_key]) = d_rope else {
            return invalid("dQueryRopeOutOptional and dKeyRopeOutOptional are missing");
        };
        of_queries.like(d_query, [of_queries.heads, ROPE])?;
        of_keys.like(d_key, [of_keys.heads, ROPE])?;
        let (mut planner, mut lists) = (StagePlanner::default(), Vec::new());
        let sequences =
            given.sequences(&mut planner, &mut lists, (&layout, &of_queries, &of_keys), causal)?;
        let known = [
            read_statistics(&mut planner, most, &of_queries)?,
            read_statistics(&mut planner, sum, &of_queries)?,
        ];
        let body = parts.body(sequences, None);
        parts.backward(planner, lists, body, [dy, y], (known, 1), &[dq, dk, dv, d_query, d_key])
    })())
}

/// The statistics of each head of queries that share a head of keys.
fn read_statistics(planner: &mut StagePlanner, operand: &Operand, query: &Heads) -> Result<Used> {
    check::exactly(operand, F32)?;
    let count = query.count() * query.heads;
    fit(operand, operand.shape()?.numel() == Some(count) && operand.shape()?.last() == Some(&query.heads))?;
    planner.list(operand, Some(F32))
}

/// Attention over selected blocks, for both directions: parts, sequences, and the types of the operands.
struct Selected {
    causal: Causal,
    lengths: [Option<Vec<i64>>; 2],
    block: usize,
    scale: f32,
    heads: i64,
    count: i64,
}

impl Selected {
    /// The attributes. A mask only says that one is meant: with the mode 2 it is the triangle.
    fn of(call: &Call<'_>) -> Result<Self> {
        let layout = call.optional_text("inputLayout")?;
        if layout.as_deref() != Some("TND") {
            return not_joined(layout);
        }
        let has_mask = call.optional_tensor("attenMaskOptional")?.is_some();
        let causal = match call.int("sparseMode")? {
            0 if !has_mask => Causal::All,
            0 => return check::not_emulated("attention over selected blocks with a mask of its own"),
            2 => Causal::FromStart,
            3 => Causal::FromEnd,
            other => return invalid(format_args!("sparseMode is {other}, but must be 0, 2 or 3")),
        };
        let block = call.int("selectedBlockSize")?;
        Ok(Self {
            causal,
            lengths: [host(call, "actualSeqQLenOptional")?, host(call, "actualSeqKvLenOptional")?],
            block: usize::try_from(block).unwrap_or(0),
            scale: call.float("scaleValue")? as f32,
            heads: call.int("headNum")?,
            count: call.int("selectedBlockCount")?,
        })
    }

    /// The parts and their sequences, checked.
    fn parts<'a>(&self, [query, key, value, chosen]: [&'a Operand; 4]) -> Result<(Parts<'a>, Sequences)> {
        let heads = [Heads::of(query, "TND")?, Heads::of(key, "TND")?, Heads::of(value, "TND")?];
        let Self { block, scale, .. } = *self;
        let parts = Parts { query, key, value, chosen: Some(chosen), rope: None, heads, block, scale };
        parts.fit(false)?;
        fit(query, heads[0].heads as i64 == self.heads)?;
        fit(chosen, block > 0 && chosen.shape()?.last().copied() == usize::try_from(self.count).ok())?;
        let lengths = self.lengths.clone();
        let sequences = sequences_of_host(("TND", &heads[0], &heads[1]), lengths, self.causal)?;
        Ok((parts, sequences))
    }
}

pub(super) fn selected_attention(call: &Call<'_>) -> Result<Plan> {
    let names = ["query", "key", "value", "topkIndices", "softmaxMaxOut", "softmaxSumOut", "attentionOut"];
    let [query, key, value, chosen, most, sum, out] = call.tensors_of(names)?;
    check::alike(&[&query, &key, &value, &out], signatures::selected_attention.takes)?;
    check::exactly(&chosen, I32)?;
    let selected = Selected::of(call)?;
    let (parts, sequences) = selected.parts([&query, &key, &value, &chosen])?;
    let [queries, ..] = parts.heads;
    let (mut planner, mut known) = (StagePlanner::default(), Vec::new());
    for out in [&most, &sum] {
        check::exactly(out, F32)?;
        queries.like(out, [queries.heads, Statistics::COPIES])?;
        known.push(planner.write(out, parts.groups()[1] * Statistics::COPIES, Some(F32))?);
    }
    let body = parts.body(sequences, None);
    parts.plan(planner, Vec::new(), body, (&out, known))
}

pub(super) fn selected_attention_backward(call: &Call<'_>) -> Result<Plan> {
    let names = [
        "query",
        "key",
        "value",
        "topkIndices",
        "attentionOut",
        "attentionOutGrad",
        "softmaxMax",
        "softmaxSum",
        "dqOut",
        "dkOut",
        "dvOut",
    ];
    let [query, key, value, chosen, y, dy, most, sum, dq, dk, dv] = &call.tensors_of(names)?;
    let floats = [query, key, value, y, dy, dq, dk, dv];
    check::alike(&floats, signatures::selected_attention_backward.takes)?;
    check::exactly(chosen, I32)?;
    let selected = Selected::of(call)?;
    let (parts, sequences) = selected.parts([query, key, value, chosen])?;
    let [queries, keys, values] = parts.heads;
    check::each(&[y, dy], |out| queries.like(out, [queries.heads, values.size]))?;
    queries.like(dq, [queries.heads, queries.size])?;
    keys.like(dk, [keys.heads, keys.size])?;
    values.like(dv, [values.heads, values.size])?;
    let mut planner = StagePlanner::default();
    let mut list = |operand: &Operand| -> Result<Used> {
        check::exactly(operand, DType::F32)?;
        queries.like(operand, [queries.heads, Statistics::COPIES])?;
        planner.list(operand, Some(F32))
    };
    let known = [list(most)?, list(sum)?];
    let body = parts.body(sequences, None);
    parts.backward(planner, Vec::new(), body, [dy, y], (known, Statistics::COPIES), &[dq, dk, dv])
}
