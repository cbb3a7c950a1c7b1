//! Attention for inference: of prompts, of one token after the other, and of both.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::operators::ParameterKind::{IntsOrNull, TensorOrNull};
use aclnn_sys::{ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR};
use cann_kernels::networks::attention::{Shift, Statistics};

use super::heads::{Heads, Layout, beside, not_emulated, one_for_each, when_tiled};
use super::lengths::{Part, paged_parts, parts};
use super::pages::Pages;
use super::problem::{Problem, Results};
use super::visible::{Grid, Sparse, Visible};
use crate::mapped::{mapped, try_mapped};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

/// The most heads of queries that share a key; and the most where keys have a separate rotary part.
const SHARING: usize = 64;
const SHARING_LATENT: usize = 128;

/// The arguments that the emulator knows, of those that may be null.
const KNOWN: [&str; 9] = [
    "pseShift",
    "attenMask",
    "actualSeqLengths",
    "actualSeqLengthsKv",
    "blockTable",
    "blocktable",
    "queryRope",
    "keyRope",
    "learnableSink",
];

/// The name of an argument in this form of the operator.
fn called(call: &Call<'_>, name: &str) -> Option<String> {
    [name.to_owned(), format!("{name}Optional")].into_iter().find(|name| call.has(name))
}

fn tensor<'c>(call: &'c Call<'_>, name: &str) -> Result<Option<Operand<'c>>> {
    called(call, name).map_or(Ok(None), |name| call.optional_tensor(&name))
}

fn lengths(call: &Call<'_>, name: &str) -> Result<Option<Vec<i64>>> {
    let Some(name) = called(call, name) else { return Ok(None) };
    Ok(call.optional(&name, Call::ints)?.map(|lengths| lengths.to_vec()))
}

fn number(call: &Call<'_>, name: &str, otherwise: i64) -> Result<i64> {
    if call.has(name) { call.int(name) } else { Ok(otherwise) }
}

/// Refuses arguments for which only a device has a kernel: those of quantised, paged and padded operands.
fn is_plain(call: &Call<'_>) -> Result {
    for parameter in call.info.parameters {
        let name = parameter.name;
        let is_given = match parameter.kind {
            _ if KNOWN.contains(&name.trim_end_matches("Optional")) => false,
            TensorOrNull => call.optional_tensor(name)?.is_some(),
            IntsOrNull => call.optional(name, Call::ints)?.is_some_and(|ints| !ints.is_empty()),
            _ => false,
        };
        if is_given {
            return not_emulated(name);
        }
    }
    Ok(())
}

/// The tensors of keys or values.
fn listed<'c>(call: &'c Call<'_>, name: &str) -> Result<Vec<Operand<'c>>> {
    let tensors = if call.is_tensor(name) { vec![call.tensor(name)?] } else { call.tensors(name)? };
    match tensors.is_empty() {
        true => Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} has no tensor"))),
        false => Ok(tensors),
    }
}

/// The table of a paged cache.
fn table<'c>(call: &'c Call<'_>) -> Result<Option<Operand<'c>>> {
    for name in ["blockTable", "blocktable"] {
        if let Some(table) = tensor(call, name)? {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// The separate rotary parts of queries and keys, of the type of the others.
fn separate<'c>(call: &'c Call<'_>, dtype: DType) -> Result<Option<[Operand<'c>; 2]>> {
    let (query, key) = match (tensor(call, "queryRope")?, tensor(call, "keyRope")?) {
        (None, None) => return Ok(None),
        (Some(query), Some(key)) => (query, key),
        _ => return check::untiled("queryRope and keyRope must be given together"),
    };
    match [&query, &key].iter().find(|operand| operand.known_dtype() != Some(dtype)) {
        Some(operand) => Err(Status::new(
            ACLNN_ERR_PARAM_INVALID,
            format_args!("{} is not {dtype}, the type of query", operand.name),
        )),
        None => Ok(Some([query, key])),
    }
}

pub(super) fn infer_attention(call: &Call<'_>) -> Result<Plan> {
    planned(call, signatures::infer_attention.takes)
}

pub(super) fn stepwise_attention(call: &Call<'_>) -> Result<Plan> {
    planned(call, signatures::stepwise_attention.takes)
}

fn planned(call: &Call<'_>, takes: Types) -> Result<Plan> {
    let (query, out) = (call.tensor("query")?, call.tensor("attentionOut")?);
    let (keys, values) = (listed(call, "key")?, listed(call, "value")?);
    let name = call.text("inputLayout")?;
    let has_lse = call.has("softmaxLseFlag") && call.flag("softmaxLseFlag")?;
    let lse = if has_lse { Some(call.tensor("softmaxLse")?) } else { None };
    is_plain(call)?;
    if number(call, "pseType", 0)? != 0 && tensor(call, "pseShift")?.is_some() {
        return not_emulated("pseType above 0");
    }
    let dtype = check::dtype(&query, takes)?;
    for operand in &[&keys[..], &values[..], &[out]].concat() {
        if check::dtype(operand, takes)? != dtype {
            let message = format!("{} is not {dtype}, the type of query", operand.name);
            return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
        }
    }
    let Some([layout, of_out]) = Layout::named(&name).filter(|[layout, _]| *layout != Layout::Sbh) else {
        return not_emulated(format_args!("the layout {name:?}"));
    };
    let is_incremental = !call.has("preTokens");
    let (first, second) = (lengths(call, "actualSeqLengths")?, lengths(call, "actualSeqLengthsKv")?);
    let (of_queries, of_keys) = if is_incremental { (None, first) } else { (first, second) };
    let named = [("actualSeqLengths", of_queries.as_deref()), ("actualSeqLengthsKv", of_keys.as_deref())];
    let (rope, table) = (separate(call, dtype)?, table(call)?);
    let heads = usize::try_from(call.int("numHeads")?).unwrap_or(0);
    let key_heads = match usize::try_from(number(call, "numKeyValueHeads", 0)?) {
        Ok(0) => heads,
        given => given.unwrap_or(0),
    };
    let sharing = if rope.is_some() { SHARING_LATENT } else { SHARING };
    if heads == 0 || key_heads == 0 || heads % key_heads != 0 || heads / key_heads > sharing {
        return check::untiled(format_args!(
            "{heads} heads of queries cannot share {key_heads} heads of keys; at most {sharing} share one"
        ));
    }
    let seen = |operand, layout, heads| Heads::of(operand, dtype, layout, heads).map_err(when_tiled);
    let query = seen(&query, layout, heads)?;
    let pages = match &table {
        None => None,
        Some(table) => {
            let batches = match &of_queries {
                Some(ends) if layout.is_joined() => ends.len(),
                _ => query.batches,
            };
            let fine = match () {
                () if is_incremental => 512,
                () if layout.is_joined() || rope.is_some() => 128,
                () => 0,
            };
            Some(Pages::of(table, batches, number(call, "blockSize", 0)?, fine)?)
        }
    };
    let cached = |operand| match &pages {
        Some(pages) => pages.cache(operand, dtype, layout, key_heads).map_err(when_tiled),
        None => seen(operand, layout, key_heads),
    };
    let keys: Vec<Heads<'_>> = try_mapped(&keys, cached)?;
    let values: Vec<Heads<'_>> = try_mapped(&values, cached)?;
    let [key_sizes, value_sizes] = [&keys, &values].map(|all| mapped::<_, Vec<_>>(all, Heads::sizes));
    let batches = match &pages {
        Some(_) => keys[0].batches,
        None if keys.len() > 1 => 1,
        None => query.batches,
    };
    let fits = query.heads == heads
        && key_sizes.len() == value_sizes.len()
        && (pages.is_none() || keys.len() == 1)
        && key_sizes.iter().zip(&value_sizes).all(|(key, value)| {
            *key == [batches, key_heads, key[2], query.size]
                && value[..3] == key[..3]
                && value[3] == value_sizes[0][3]
        });
    if !fits {
        return check::untiled(format_args!(
            "queries have {:?} batches, heads, tokens and elements, keys {key_sizes:?} and values {value_sizes:?}",
            query.sizes()
        ));
    }
    let rope = match &rope {
        None => None,
        Some([of_query, of_key]) => {
            let (of_query, of_key) = (seen(of_query, layout, heads)?, cached(of_key)?);
            if keys.len() > 1 {
                return check::untiled("queryRope and keyRope are for one tensor of keys");
            }
            Some(beside([of_query, of_key], &query, &keys[0]).map_err(when_tiled)?)
        }
    };
    let size = value_sizes[0][3];
    let out = seen(&out, of_out, heads)?;
    if out.sizes() != [query.batches, heads, query.tokens, size] {
        return check::untiled(format_args!(
            "{} has {:?} batches, heads, tokens and elements",
            out.operand.name,
            out.sizes()
        ));
    }
    if [query.batches, query.tokens, query.size, out.size].contains(&0) {
        return Ok(Plan::empty());
    }
    if of_out == Layout::Bsnd && layout != of_out && query.tokens == 1 {
        return check::untiled(format_args!("the layout {name:?} is for several queries"));
    }
    let parts = match &pages {
        Some(pages) => paged_parts(layout, &query, named, pages.most())?,
        None => parts(layout, &query, &keys, named)?,
    };
    let shift = tensor(call, "pseShift")?;
    let mask = tensor(call, "attenMask")?;
    let most = |of: fn(&Part) -> usize| parts.iter().map(of).max().unwrap_or(0);
    // What stands beside paged keys may have columns for as many as the table has room for.
    let full = |operand: &Option<Operand>| {
        let own = operand.as_ref().and_then(|operand| operand.shape().ok()?.last().copied());
        let columns = match &pages {
            Some(_) => most(|part| part.keys.len()).max(own.unwrap_or(0)),
            None if layout.is_joined() => most(|part| part.keys.len()),
            None => keys.iter().map(|keys| keys.tokens).max().unwrap_or(0),
        };
        match layout.is_joined() {
            true => [1, heads, most(|part| part.queries.len()), columns],
            false => [query.batches, heads, query.tokens, columns],
        }
    };
    let [of_shift, of_mask] = [full(&shift), full(&mask)];
    let shift = match &shift {
        Some(_) if layout.is_joined() => return not_emulated("pseShift in the layout TND"),
        Some(shift) if shift.known_dtype() != Some(dtype) => {
            return Err(Status::new(ACLNN_ERR_PARAM_INVALID, format_args!("{} is not {dtype}", shift.name)));
        }
        Some(shift) => Some((Grid::of(shift, dtype, of_shift, false)?, Shift::AfterScale)),
        None => None,
    };
    let tokens = [number(call, "preTokens", i64::MAX)?, number(call, "nextTokens", i64::MAX)?];
    let sparse = Sparse::of_mask(mask.as_ref(), number(call, "sparseMode", 0)?, tokens)?;
    let visible = Visible::of(mask.as_ref(), sparse, of_mask, true)?;
    let noted = match &lse {
        None => Vec::new(),
        Some(lse) => vec![noted(lse, layout, query.sizes(), 1)?],
    };
    let results = Results {
        out,
        clears: number(call, "innerPrecise", 0)? & 2 != 0,
        statistics: if lse.is_some() { Statistics::LogSum } else { Statistics::Nothing },
        noted,
    };
    let sinks = tensor(call, "learnableSink")?;
    if let Some(sinks) = &sinks {
        one_for_each(sinks, &[DType::F32, dtype], heads).map_err(when_tiled)?;
    }
    let scale = call.float("scaleValue")?;
    let problem = Problem::new(query, keys, values, parts);
    Problem { scale, shift, visible, pages, rope, sinks: sinks.as_ref(), ..problem }.plan(&results)
}

/// An output of f32 with so many numbers for each query.
pub(super) fn noted<'a>(
    operand: &'a Operand<'_>,
    layout: Layout,
    of_queries: [usize; 4],
    copies: usize,
) -> Result<Heads<'a>> {
    let layout = if layout.is_joined() { Layout::Tnd } else { Layout::Bnsd };
    let heads = Heads::of(operand, DType::F32, layout, 0).map_err(when_tiled)?;
    let [batches, count, tokens, _] = of_queries;
    if operand.known_dtype() != Some(F32) || heads.sizes() != [batches, count, tokens, copies] {
        return check::untiled(format_args!(
            "{} must be f32 with {copies} numbers for each of {count} heads of {tokens} tokens",
            operand.name
        ));
    }
    Ok(heads)
}
