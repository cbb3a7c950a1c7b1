//! Attention by scaled products of queries and keys.

use aclnn::ops::HeadLayout;
use aclnn::{DType, Tensor, bf16, f16, ops};

use super::heads::{count, joined, shared_product, split};
use super::masks::{Mask, Reach, Sizes};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared, Values};

/// The attributes of a node.
struct Options {
    heads: Option<usize>,
    key_heads: Option<usize>,
    scale: Option<f32>,
    softcap: f32,
    precision: Option<DType>,
    /// The products that the last output has.
    mode: i64,
    reach: Reach,
}

/// The operands, with axes for heads.
struct Operands {
    query: Tensor,
    key: Tensor,
    value: Tensor,
    /// The root of the scale, by which queries and keys are multiplied.
    root: f64,
}

pub(super) fn attention(node: &Node) -> NodeResult<Prepared> {
    let window = |name: &str| -> NodeResult<Option<i64>> {
        match node.int(name, -1)? {
            -1 => Ok(None),
            size if size >= 0 => Ok(Some(size)),
            size => Reason::text(format!("its `{name}` is {size}")),
        }
    };
    let options = Options {
        heads: count(node.attributes.int("q_num_heads")?)?,
        key_heads: count(node.attributes.int("kv_num_heads")?)?,
        scale: node.attributes.float("scale")?,
        softcap: node.float("softcap", 0.0)?,
        precision: node.dtype("softmax_precision")?,
        mode: node.int("qk_matmul_output_mode", 0)?,
        reach: Reach {
            is_causal: node.flag("is_causal", false)?,
            left: window("left_window_size")?,
            right: window("right_window_size")?,
        },
    };
    Ok(Prepared::device(move |call| run(call, &options)))
}

fn run(call: &Call<'_>, options: &Options) -> NodeResult<Values> {
    let is_flat = call.shape(0)?.rank() == 3;
    let of = |input: usize, heads: Option<usize>| -> NodeResult<Tensor> {
        let tensor = call.tensor(input)?;
        match (is_flat, heads) {
            (false, _) => Ok(tensor),
            (true, Some(heads)) => split(&tensor, heads),
            (true, None) => Reason::text("its attributes `q_num_heads` and `kv_num_heads` are missing"),
        }
    };
    let query = of(0, options.heads)?;
    let [mut key, mut value] = [of(1, options.key_heads)?, of(2, options.key_heads)?];
    let mut past = 0;
    if let (Some(past_key), Some(past_value)) = (call.optional_tensor(4)?, call.optional_tensor(5)?) {
        past = past_key.dims().get(2).copied().unwrap_or(0);
        key = ops::cat(&[&past_key, &key], 2).run()?;
        value = ops::cat(&[&past_value, &value], 2).run()?;
    }
    let (&[_, heads, queries, elements], &[_, key_heads, keys, of_key]) = (query.dims(), key.dims()) else {
        return Reason::text("its operands have neither three axes nor four");
    };
    if elements != of_key || key_heads == 0 || heads % key_heads != 0 {
        return Reason::text(format!("queries {:?} do not suit keys {:?}", query.dims(), key.dims()));
    }
    let scale = options.scale.map_or_else(|| 1.0 / (elements.max(1) as f64).sqrt(), f64::from);
    let root = rounded(scale.sqrt(), query.dtype());
    let sizes = Sizes { queries, keys, past };
    let (given, lengths) = (call.optional_tensor(3)?, call.optional_tensor(6)?);
    let mask = Mask::of(call, given.as_ref(), lengths.as_ref(), options.reach, sizes, query.dtype())?;
    let operands = Operands { query, key, value, root };
    let (y, products) = match by_device(call, options, &operands, &mask)? {
        Some(y) => (y, None),
        None => {
            let (y, products) = by_steps(call, options, &operands, &mask)?;
            (y, Some(products))
        }
    };
    let y = if is_flat { joined(&y)? } else { y };
    let mut outputs = vec![y, operands.key, operands.value];
    outputs.extend(products);
    Ok(outputs.into())
}

/// Returns a number as the type holds it.
pub(super) fn rounded(number: f64, dtype: DType) -> f64 {
    match dtype {
        DType::F16 => f16::from_f64(number).to_f64(),
        DType::BF16 => bf16::from_f64(number).to_f64(),
        DType::F32 => (number as f32).into(),
        _ => number,
    }
}

/// Attention by one operator of the device, if it has all that is asked for.
fn by_device(
    call: &Call<'_>,
    options: &Options,
    operands: &Operands,
    mask: &Mask,
) -> NodeResult<Option<Tensor>> {
    let Operands { query, key, value, root } = operands;
    let (&[batch, _, queries, elements], &[_, _, keys, of_value]) = (query.dims(), value.dims()) else {
        return Ok(None);
    };
    let dtype = query.dtype();
    let fits = matches!(dtype, DType::F32 | DType::F16 | DType::BF16)
        && [key, value].iter().all(|operand| operand.dtype() == dtype)
        && !call.wants(3)
        && options.softcap == 0.0
        && options.precision != Some(DType::F64)
        && elements <= 768
        && of_value <= elements
        && [query, key, value].iter().all(|operand| operand.numel() > 0);
    if !fits {
        return Ok(None);
    }
    // Heads that were split lie behind tokens, where the device takes them, too.
    let turned = [query.swapaxes(1, 2)?, key.swapaxes(1, 2)?, value.swapaxes(1, 2)?];
    let is_turned = !query.is_contiguous() && turned.iter().all(Tensor::is_contiguous);
    let ([query, key, value], layout) = match is_turned {
        true => (turned, HeadLayout::Bsnd),
        false => ([query.contiguous()?, key.contiguous()?, value.contiguous()?], HeadLayout::Bnsd),
    };
    let whole = |tensor: &Tensor, is_of_rows: bool| -> NodeResult<Tensor> {
        let own = |axis: usize| tensor.dims().get(axis).copied().unwrap_or(1);
        // Batches and heads may have one element alone.
        let batches = if own(1) > 1 { batch } else { own(0) };
        let rows = if is_of_rows { queries } else { own(2) };
        Ok(tensor.broadcast_to([batches, own(1), rows, keys])?.contiguous()?)
    };
    let bias = mask.bias.as_ref().map(|bias| whole(bias, false)).transpose()?;
    let hidden = match &mask.seen {
        Some(seen) if !mask.is_plainly_causal => Some(whole(&seen.logical_not()?, true)?),
        _ => None,
    };
    let mut attention = ops::attention(&query, &key, &value).layout(layout).scale(root * root);
    if let Some(bias) = &bias {
        attention = attention.bias(bias);
    }
    if let Some(hidden) = &hidden {
        attention = attention.mask(hidden);
    }
    if mask.is_plainly_causal {
        attention = attention.causal();
    }
    let y = attention.run()?;
    Ok(Some(if is_turned { y.swapaxes(1, 2)? } else { y }))
}

/// Attention by products and a softmax. Returns the products that are asked for, too.
fn by_steps(
    call: &Call<'_>,
    options: &Options,
    operands: &Operands,
    mask: &Mask,
) -> NodeResult<(Tensor, Tensor)> {
    let Operands { query, key, value, root } = operands;
    let dtype = query.dtype();
    let mut scores = shared_product(&query.mul(*root)?, &key.mul(*root)?.swapaxes(2, 3)?)?;
    let mut products = scores.clone();
    if options.softcap > 0.0 {
        scores = scores.div(options.softcap)?.tanh()?.mul(options.softcap)?;
    }
    if options.mode == 1 {
        products = scores.clone();
    }
    let bias = mask.summed(dtype)?;
    if let Some(bias) = &bias {
        scores = scores.add(bias)?;
    }
    if options.mode == 2 {
        products = scores.clone();
    }
    let precision = options.precision.unwrap_or(dtype);
    let mut weights = call.as_type(scores, precision)?.softmax(-1)?;
    if let Some(bias) = &bias {
        // A query that sees nothing has no weights.
        let blind = ops::max(bias).axes(-1).keep_dims().run()?.eq(f64::NEG_INFINITY)?;
        let none = Tensor::zeros(call.stream(), [], precision)?;
        let some = ops::where_(&blind, &none, &weights).run()?;
        weights = some;
    }
    let weights = call.as_type(weights, dtype)?;
    if options.mode == 3 {
        products = weights.clone();
    }
    let y = shared_product(&call.as_type(weights, value.dtype())?, value)?;
    Ok((call.as_type(y, dtype)?, products))
}
