//! Latent attention before its scores.

use aclnn_numerics::DType::{self, F32, I64};
use aclnn_numerics::product::Product::Ascend950;
use aclnn_sys::{ACL_FORMAT_FRACTAL_NZ, ACLNN_ERR_RUNTIME_ERROR};
use cann_kernels::networks::attention::{Latent, Scale};

use super::normed::{Mode, Rows};
use super::written_cache::WrittenCache;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::signatures;
use crate::operators::stage_planner::{Divided, StagePlanner, Used, sizes};
use crate::settings;
use crate::status::{Result, Status};

/// The code of a graph that was not built.
const NO_GRAPH: i32 = -1;

/// Elements of compressed queries and keys, of a head, and of its part that is rotated.
const QUERY: usize = 1536;
const KEY: usize = 512;
const HEAD: usize = 128;
const ROTATED: usize = 64;

/// The most heads, and the elements of tokens: one of these multiples of a number, or another one.
const HEADS: usize = 128;
const PART: usize = 1024;
const PARTS: usize = 8;
const OTHER: usize = 7680;

/// The most tokens of a block, a multiple of the second number.
const BLOCK: [usize; 2] = [1024, 16];

fn no_graph<T>(message: impl std::fmt::Display) -> Result<T> {
    Err(Status::new(NO_GRAPH, message))
}

/// Checks what both newest versions check before all else.
fn modes(call: &Call<'_>, outputs: [Option<&Operand>; 3]) -> Result {
    let [scale, norm, norm_scale] = outputs;
    let number = |name| call.int(name);
    let (weights, cache, query) =
        (number("weightQuantMode")?, number("kvCacheQuantMode")?, number("queryQuantMode")?);
    let most = if settings::get().product == Ascend950 { 5 } else { 2 };
    let of_cache: &[i64] = match weights {
        0 => &[0],
        1 => &[0, 2, 3],
        _ => &[0, 1, 3],
    };
    if !(0..=most).contains(&weights) || !of_cache.contains(&cache) || !(0..=1).contains(&query) {
        return no_graph(format_args!(
            "weightQuantMode is {weights}, kvCacheQuantMode {cache} and queryQuantMode {query}, which do not go together"
        ));
    }
    let needs_scale = weights >= 2 && cache == 1;
    let needs_norm_scale = norm.is_some() && weights != 0;
    match needs_scale == scale.is_some() && needs_norm_scale == norm_scale.is_some() {
        true => Ok(()),
        false => no_graph("an output of scales is given exactly where queries are quantised"),
    }
}

/// The operands of the operator.
struct Parts<'a> {
    token: &'a Operand<'a>,
    weights: [&'a Operand<'a>; 4],
    norms: [&'a Operand<'a>; 2],
    sin: &'a Operand<'a>,
    cos: &'a Operand<'a>,
    caches: [&'a Operand<'a>; 2],
    index: Option<&'a Operand<'a>>,
    out: &'a Operand<'a>,
    rotated: &'a Operand<'a>,
    norm: Option<&'a Operand<'a>>,
}

/// The places of compressed keys: those of a cache, or the tokens themselves.
#[derive(Clone, Copy)]
enum Places {
    Cache(Mode),
    Tokens,
}

impl Parts<'_> {
    /// Batches and tokens, elements of a token, heads, and the places of keys.
    fn check(&self, mode: &str, is_third: bool) -> Result<([usize; 2], [usize; 2], Places)> {
        let shape = self.token.shape()?;
        let (tokens, size) = match shape[..] {
            [batches, tokens, size] => ([batches, tokens], size),
            [tokens, size] => ([1, tokens], size),
            _ => return invalid(format_args!("tokenX has shape {shape}, but must have two or three axes")),
        };
        let [w_dq, w_uq, w_uk, w_dkv] = self.weights;
        let [heads, ..] = sizes::<3>(w_uk)?;
        let is_size = size == OTHER || size.is_multiple_of(PART) && (1..=PARTS).contains(&(size / PART));
        if !is_size || !heads.is_power_of_two() || heads > HEADS {
            return invalid(format_args!(
                "tokens have {size} elements, and there are {heads} heads, which the kernel has not"
            ));
        }
        check::output_shape(w_dq, &[size, QUERY])?;
        check::output_shape(w_uq, &[QUERY, heads * (HEAD + ROTATED)])?;
        check::output_shape(w_uk, &[heads, HEAD, KEY])?;
        check::output_shape(w_dkv, &[size, KEY + ROTATED])?;
        check::output_shape(self.norms[0], &[QUERY])?;
        check::output_shape(self.norms[1], &[KEY])?;
        let outer = &shape[..shape.rank() - 1];
        let with = |sizes: &[usize]| [outer, sizes].concat();
        check::each(&[self.sin, self.cos], |angles| check::output_shape(angles, &with(&[ROTATED])))?;
        check::output_shape(self.out, &with(&[heads, KEY]))?;
        check::output_shape(self.rotated, &with(&[heads, ROTATED]))?;
        check::each(self.norm.as_slice(), |norm| check::output_shape(norm, &with(&[QUERY])))?;
        let places = match (mode, is_third) {
            ("PA_BSND", _) => Places::Cache(Mode::Slots { nz: false }),
            ("PA_NZ", _) => Places::Cache(Mode::Slots { nz: true }),
            ("PA_BLK_BSND", true) if outer.len() == 2 => Places::Cache(Mode::Blocks { nz: false }),
            ("PA_BLK_NZ", true) if outer.len() == 2 => Places::Cache(Mode::Blocks { nz: true }),
            ("BSND", true) if outer.len() == 2 => Places::Tokens,
            ("TND", true) if outer.len() == 1 => Places::Tokens,
            _ => {
                return invalid(format_args!(
                    "cacheMode is {mode:?}, which is not known for tokenX of {shape}"
                ));
            }
        };
        for (cache, len) in self.caches.into_iter().zip([KEY, ROTATED]) {
            let Places::Cache(mode) = places else {
                check::output_shape(cache, &with(&[1, len]))?;
                continue;
            };
            Rows { batches: 1, heads: 1, tokens: 0 }.fits(cache, len, mode)?;
            let block = sizes::<4>(cache)?[1];
            let starts = match mode {
                Mode::Blocks { .. } => tokens[0].saturating_mul(tokens[1].div_ceil(block.max(1))),
                _ => tokens[0].saturating_mul(tokens[1]),
            };
            let has_index = self
                .index
                .is_some_and(|index| index.shape().is_ok_and(|shape| shape.numel() == Some(starts)));
            if !has_index || !block.is_multiple_of(BLOCK[1]) || block > BLOCK[0] {
                return invalid(format_args!(
                    "{} has blocks of {block} tokens, and cacheIndex not {starts} elements",
                    cache.name
                ));
            }
        }
        Ok((tokens, [size, heads], places))
    }
}

/// Tokens, weights and caches are bf16: their quantised forms are left to a device.
pub(super) fn latent_queries(call: &Call<'_>) -> Result<Plan> {
    let is_third = call.has("weightQuantMode");
    let given = |names: [&str; 2]| -> Result<Option<Operand>> {
        let name = names.into_iter().find(|name| call.has(name));
        let operand = name.map_or(Ok(None), |name| call.optional_tensor(name))?;
        Ok(operand.filter(|operand| !operand.is_empty()))
    };
    let scale = given(["dequantScaleQNopeOutOptional", "dequantScaleQNopeOut"])?;
    let norm = given(["queryNormOutOptional", "queryNormOut"])?;
    let norm_scale = given(["dequantScaleQNormOutOptional", "dequantScaleQNormOut"])?;
    let norm = if call.has("queryNormFlag") && !call.flag("queryNormFlag")? { None } else { norm };
    if is_third {
        modes(call, [scale.as_ref(), norm.as_ref(), norm_scale.as_ref()])?;
    } else {
        if settings::get().product == Ascend950 {
            return Err(Status::new(
                ACLNN_ERR_RUNTIME_ERROR,
                "this product has other versions of the operator",
            ));
        }
        for name in ["tokenX", "kvCacheRef"] {
            call.tensor(name).map_err(|status| status.with_code(NO_GRAPH))?;
        }
    }
    let names = [
        "tokenX",
        "weightDq",
        "weightUqQr",
        "weightUk",
        "weightDkvKr",
        "rmsnormGammaCq",
        "rmsnormGammaCkv",
        "ropeSin",
        "ropeCos",
        "kvCacheRef",
        "krCacheRef",
        "queryOut",
        "queryRopeOut",
    ];
    let all = call.tensors_of(names)?;
    let [token, w_dq, w_uq, w_uk, w_dkv, of_query, of_key, sin, cos, kv, kr, out, rotated] = &all;
    let index = match is_third {
        true => call.optional_tensor("cacheIndexOptional")?,
        false => Some(call.tensor("cacheIndex")?),
    };
    let quantised = [
        "dequantScaleXOptional",
        "dequantScaleWDqOptional",
        "dequantScaleWUqQrOptional",
        "dequantScaleWDkvKrOptional",
        "quantScaleCkvOptional",
        "quantScaleCkrOptional",
        "smoothScalesCqOptional",
        "actualSeqLenOptional",
        "kNopeClipAlphaOptional",
    ];
    for name in quantised.into_iter().filter(|name| call.has(name)) {
        if call.optional_tensor(name)?.is_some_and(|operand| !operand.is_empty()) {
            return check::not_emulated(format_args!("latent queries with {name}"));
        }
    }
    let dtypes = [&all[..], norm.as_slice()].concat();
    let dtype = check::alike(&dtypes, signatures::latent_queries.takes)?;
    check::all_exactly(index.as_slice(), I64)?;
    // The names say which weights they want; without a word about it both formats pass.
    let wants_format = call.info.name().ends_with("WeightNz");
    for weight in [w_dq, w_uq, w_dkv] {
        if wants_format && weight.format() != ACL_FORMAT_FRACTAL_NZ {
            return invalid(format_args!("{} must have the storage format FRACTAL_NZ", weight.name));
        }
    }
    let parts = Parts {
        token,
        weights: [w_dq, w_uq, w_uk, w_dkv],
        norms: [of_query, of_key],
        sin,
        cos,
        caches: [kv, kr],
        index: index.as_ref(),
        out,
        rotated,
        norm: norm.as_ref(),
    };
    let mode = call.optional_text("cacheModeOptional")?.unwrap_or_else(|| "PA_BSND".to_owned());
    let (tokens, sizes, places) = Divided::Generated.check(parts.check(&mode, is_third))?;
    let factors = match is_third {
        true => [call.float("qcQrScale")? as f32, call.float("kcScale")? as f32],
        false => [1.0; 2],
    };
    let epsilons = [call.float("rmsnormEpsilonCq")? as f32, call.float("rmsnormEpsilonCkv")? as f32];
    plan(&parts, dtype, (tokens, sizes, places), [epsilons, factors])
}

fn plan(
    parts: &Parts<'_>,
    dtype: DType,
    ([batches, tokens], [size, heads], places): ([usize; 2], [usize; 2], Places),
    [epsilons, factors]: [[f32; 2]; 2],
) -> Result<Plan> {
    let count = batches.saturating_mul(tokens);
    if count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = StagePlanner::default();
    let mut inputs = Vec::new();
    let operands =
        [parts.token].into_iter().chain(parts.weights).chain(parts.norms).chain([parts.sin, parts.cos]);
    for operand in operands {
        inputs.push(planner.list(operand, Some(F32))?);
    }
    let mut outputs: Vec<Used> = Vec::new();
    for (operand, len) in [(parts.out, heads * KEY), (parts.rotated, heads * ROTATED)] {
        outputs.push(planner.write(operand, count.saturating_mul(len), Some(F32))?);
    }
    let mut rows = Vec::new();
    for (cache, len) in parts.caches.into_iter().zip([KEY, ROTATED]) {
        match places {
            Places::Tokens => outputs.push(planner.write(cache, count.saturating_mul(len), Some(F32))?),
            Places::Cache(mode) => {
                let place = planner.builder.temporary(dtype, count.saturating_mul(len))?;
                outputs.push((place, written_lanes(count.saturating_mul(len), F32, dtype)?));
                rows.push((cache, len, place, mode));
            }
        }
    }
    match parts.norm {
        Some(norm) => outputs.push(planner.write(norm, count.saturating_mul(QUERY), Some(F32))?),
        None => {
            let unused = planner.builder.temporary(F32, count.saturating_mul(QUERY))?;
            outputs.push((unused, read_lanes(count.saturating_mul(QUERY), F32, F32)?));
        }
    }
    let body = Latent {
        tokens: count,
        size,
        query: QUERY,
        key: KEY,
        heads,
        head: HEAD,
        rotated: ROTATED,
        epsilons,
        factors,
    };
    planner.builder.lanes(inputs, outputs, 1, body.body());
    for (cache, len, place, mode) in rows {
        let Some(index) = parts.index else { continue };
        let room = WrittenCache { cache, scale: None, offset: None, kind: Scale::Factor, len };
        Rows { batches, heads: 1, tokens }.write(&mut planner, (&room, len, mode), place, index)?;
    }
    Ok(planner.plan())
}
