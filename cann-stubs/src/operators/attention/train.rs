//! Attention for training, with what its gradients need.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::ACLNN_ERR_PARAM_NULLPTR;
use cann_kernels::networks::attention::{Shift, Statistics};

use super::heads::{Heads, Layout, beside, not_emulated, one_for_each, when_tiled};
use super::infer::noted;
use super::lengths::parts;
use super::problem::{Problem, Results};
use super::visible::{Grid, Sparse, Visible};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

/// Elements of a query that a device takes.
const LARGEST: usize = 768;

/// The operands that the operator and its gradients have in common.
pub(super) struct Operands<'c> {
    pub(super) query: Operand<'c>,
    pub(super) key: Operand<'c>,
    pub(super) value: Operand<'c>,
    pub(super) dtype: DType,
    pub(super) layout: Layout,
    /// The kind of the bias of scores, and the moment when it is added: the operand `pseType`.
    shift_kind: i64,
    shift: Option<Operand<'c>>,
    mask: Option<Operand<'c>>,
    bits: Option<Operand<'c>>,
    /// The separate rotary parts of queries and keys.
    rope: Option<[Operand<'c>; 2]>,
    /// One more score for each head.
    sinks: Option<Operand<'c>>,
}

impl<'c> Operands<'c> {
    /// The operands under their names in this form; nothing but nulls is checked.
    pub(super) fn of(call: &'c Call<'_>, key: &str, shift: &str) -> Result<Self> {
        let (query, key, value) = (call.tensor("query")?, call.tensor(key)?, call.tensor("value")?);
        call.text("inputLayout")?;
        let (shift, mask) = (call.optional_tensor(shift)?, call.optional_tensor("attenMaskOptional")?);
        let bits = call.optional_tensor("dropMaskOptional")?;
        let shift_kind = if call.has("pseType") { call.int("pseType")? } else { 1 };
        let (dtype, layout) = (DType::F32, Layout::Bsh);
        let given = |name| if call.has(name) { call.optional_tensor(name) } else { Ok(None) };
        // The gradients have other names for the same operands.
        let of_key = given("keyRope")?.or(given("keyInRope")?);
        let rope = given("queryRope")?.zip(of_key).map(|(query, key)| [query, key]);
        let sinks = given("sinkOptional")?.or(given("sinkInOptional")?);
        Ok(Self { query, key, value, dtype, layout, shift_kind, shift, mask, bits, rope, sinks })
    }

    /// Checks types, and then the layout.
    pub(super) fn typed(mut self, call: &Call<'_>, takes: Types, others: &[&Operand]) -> Result<Self> {
        self.dtype = check::dtype(&self.query, takes)?;
        let rope: Vec<&Operand> = self.rope.iter().flatten().collect();
        for operand in [&[&self.key, &self.value], others, &rope].concat() {
            if operand.known_dtype() != Some(self.dtype) {
                return invalid(format_args!("{} is not {}, the type of query", operand.name, self.dtype));
            }
        }
        // A pse that the operator makes has slopes of f32.
        let (is_made, dtype) = match self.shift_kind {
            2 | 3 => (true, DType::F32),
            _ => (false, self.dtype),
        };
        match &self.shift {
            None if is_made => {
                return invalid(format_args!("pseType {} needs slopes, but pse is null", self.shift_kind));
            }
            Some(shift) if shift.known_dtype() != Some(dtype) => {
                return invalid(format_args!("{} is not {dtype}", shift.name));
            }
            _ => {}
        }
        self.layout = layout(call)?;
        Ok(self)
    }

    /// Checks everything else that both have.
    pub(super) fn problem(&self, call: &Call<'_>) -> Result<Problem<'_>> {
        let Self { query, key, value, dtype, layout, .. } = self;
        if call.optional_tensor("paddingMaskOptional")?.is_some() {
            return not_emulated("paddingMaskOptional");
        }
        if call.has("queryRope") && self.rope.is_none() {
            for name in ["queryRope", "keyRope", "keyInRope"] {
                if call.has(name) && call.optional_tensor(name)?.is_some() {
                    return invalid(format_args!(
                        "{name} is given, but queryRope and keyRope stand together"
                    ));
                }
            }
        }
        // Both layouts are those of the queries: there is one order of tokens and heads here.
        for name in ["softmaxOutLayout", "softmaxInLayout"].into_iter().filter(|name| call.has(name)) {
            match call.optional_text(name)?.as_deref() {
                None | Some("" | "same_as_input") => {}
                Some(other) => {
                    return invalid(format_args!(
                        "{name} is {other:?}, but must be empty or \"same_as_input\""
                    ));
                }
            }
        }
        let prefix = call.optional("prefixOptional", Call::ints)?;
        if prefix.is_some_and(|prefix| !prefix.is_empty()) {
            return not_emulated("prefixOptional");
        }
        let Some(heads) = usize::try_from(call.int("headNum")?).ok().filter(|heads| *heads > 0) else {
            return invalid("headNum must be positive");
        };
        let query = Heads::of(query, *dtype, *layout, heads)?;
        if query.heads != heads || query.size == 0 || query.size > LARGEST {
            return invalid(format_args!(
                "query has {} heads of {} elements, but headNum is {heads}, and a head has 1 to {LARGEST} elements",
                query.heads, query.size
            ));
        }
        // Flat keys have as many heads as their width has queries; values have as many heads as keys.
        let width = key.shape()?.last().copied().unwrap_or(0);
        let of_keys = if layout.is_flat() { width / query.size } else { 0 };
        let key = Heads::of(key, *dtype, *layout, of_keys)?;
        let value = Heads::of(value, *dtype, *layout, of_keys)?;
        let fits = key.size == query.size
            && key.heads > 0
            && heads % key.heads == 0
            && key.batches == query.batches
            && value.sizes()[..3] == key.sizes()[..3]
            && (1..=key.size).contains(&value.size);
        if !fits {
            return invalid(format_args!(
                "query has {:?} batches, heads, tokens and elements, key {:?} and value {:?}",
                query.sizes(),
                key.sizes(),
                value.sizes()
            ));
        }
        let rope = match &self.rope {
            None => None,
            Some([of_query, of_key]) => {
                let of_query = Heads::of(of_query, *dtype, *layout, heads)?;
                let of_key = Heads::of(of_key, *dtype, *layout, key.heads)?;
                Some(beside([of_query, of_key], &query, &key)?)
            }
        };
        if let Some(sinks) = &self.sinks {
            one_for_each(sinks, &[DType::F32], heads)?;
        }
        let before = match self.shift_kind {
            0 => Shift::AfterScale,
            1 => Shift::BeforeScale,
            made @ (2 | 3) => {
                return not_emulated(format_args!("pseType {made}, a pse that the operator makes"));
            }
            other => return invalid(format_args!("pseType is {other}, but must be from 0 to 3")),
        };
        let lengths = |name| -> Result<Option<Vec<i64>>> {
            if !call.has(name) {
                return Ok(None);
            }
            Ok(call.optional(name, Call::ints)?.map(|lengths| lengths.to_vec()))
        };
        let (of_queries, of_keys) = (lengths("actualSeqQLenOptional")?, lengths("actualSeqKvLenOptional")?);
        let keys = vec![key];
        let named = [
            ("actualSeqQLenOptional", of_queries.as_deref()),
            ("actualSeqKvLenOptional", of_keys.as_deref()),
        ];
        let parts = parts(*layout, &query, &keys, named)?;
        let most = |of: fn(&super::lengths::Part) -> usize| parts.iter().map(of).max().unwrap_or(0);
        let full = [query.batches, heads, most(|part| part.queries.len()), most(|part| part.keys.len())];
        let shift = match &self.shift {
            Some(_) if layout.is_joined() => return not_emulated("pse in the layout TND"),
            Some(shift) => Some((Grid::of(shift, *dtype, full, false)?, before)),
            None => None,
        };
        let tokens = [call.int("preTokens")?, call.int("nextTokens")?];
        let sparse = Sparse::of_mask(self.mask.as_ref(), call.int("sparseMode")?, tokens)?;
        if self.mask.as_ref().and_then(Operand::known_dtype) == Some(DType::I8) {
            return invalid("attenMaskOptional is i8, but must be bool or u8");
        }
        let visible = Visible::of(self.mask.as_ref(), sparse, full, false)?;
        let keep = call.float("keepProb")?;
        if !(keep > 0.0 && keep <= 1.0) {
            return invalid(format_args!("keepProb is {keep}, but must be above 0 and at most 1"));
        }
        let weights: usize =
            parts.iter().map(|part| part.batches.len() * heads * part.queries.len() * part.keys.len()).sum();
        let dropout = match &self.bits {
            None => None,
            Some(bits)
                if bits.known_dtype() != Some(DType::U8)
                    || bits.shape()?.numel().unwrap_or(0) < weights.div_ceil(8) =>
            {
                return check::untiled(format_args!(
                    "{} must have a bit of u8 for each of {weights} weights",
                    bits.name
                ));
            }
            // All are kept, whatever the bits are.
            Some(_) if keep == 1.0 => None,
            Some(bits) => Some((bits, keep)),
        };
        let scale = call.float("scaleValue")?;
        let problem = Problem::new(query, keys, vec![value], parts);
        let sinks = self.sinks.as_ref();
        Ok(Problem { scale, shift, visible, dropout, rope, sinks, ..problem })
    }
}

/// The layout of a call, which has one for sequences that follow each other, or others.
fn layout(call: &Call<'_>) -> Result<Layout> {
    let (name, is_joined) = (call.text("inputLayout")?, call.has("actualSeqQLenOptional"));
    match Layout::named(&name) {
        Some([layout, of_out]) if layout == of_out && is_joined == layout.is_joined() => Ok(layout),
        _ => {
            let wanted = if is_joined { "TND" } else { "BSH, SBH, BSND or BNSD" };
            invalid(format_args!("inputLayout is {name:?}, but must be {wanted}"))
        }
    }
}

pub(super) fn attention(call: &Call<'_>) -> Result<Plan> {
    let operands = Operands::of(call, "key", "realShiftOptional")?;
    let [max, sum, out] = call.tensors_of(["softmaxMaxOut", "softmaxSumOut", "attentionOutOut"])?;
    let is_empty = |operand: &Operand| operand.shape().is_ok_and(|shape| shape.is_empty_tensor());
    if is_empty(&max) && is_empty(&sum) && is_empty(&out) {
        return Ok(Plan::empty());
    }
    let operands = operands.typed(call, signatures::attention.takes, &[&out])?;
    let problem = operands.problem(call)?;
    let sizes = problem.query.sizes();
    let out = like(&out, &problem, operands.layout, problem.values[0].size)?;
    let noted = vec![
        noted(&max, operands.layout, sizes, Statistics::COPIES)?,
        noted(&sum, operands.layout, sizes, Statistics::COPIES)?,
    ];
    let clears = call.int("innerPrecise")? == 2;
    problem.plan(&Results { out, clears, statistics: Statistics::MaxAndSum, noted })
}

/// An operand of the sizes of the queries, with so many elements in each token of a head.
pub(super) fn like<'a>(
    operand: &'a Operand,
    problem: &Problem<'_>,
    layout: Layout,
    size: usize,
) -> Result<Heads<'a>> {
    let [batches, heads, tokens, _] = problem.query.sizes();
    let own = Heads::of(operand, problem.query.dtype, layout, heads).map_err(when_tiled)?;
    match own.sizes() == [batches, heads, tokens, size] {
        true => Ok(own),
        false => check::untiled(format_args!(
            "{} has {:?} batches, heads, tokens and elements, but must have {:?}",
            operand.name,
            own.sizes(),
            [batches, heads, tokens, size]
        )),
    }
}

/// An argument that gradients need, though it may be null elsewhere.
pub(super) fn needed<'c>(call: &'c Call<'_>, name: &str) -> Result<Operand<'c>> {
    let missing =
        || Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} is null, but the gradients need it"));
    call.optional_tensor(name)?.ok_or_else(missing)
}
