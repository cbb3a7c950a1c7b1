//! Attention whose keys and values are summed in a state.

use aclnn::{DType, Tensor, ops};

use super::super::products::product;
use super::heads::{count, joined, shared_product, split};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};

/// The rule by which the state changes.
#[derive(Debug, Clone, Copy)]
struct Rule {
    is_gated: bool,
    is_delta: bool,
}

pub(super) fn linear_attention(node: &Node) -> NodeResult<Prepared> {
    node.ignore(&["chunk_size"]);
    let rule = match node.text("update_rule", "gated_delta")?.as_str() {
        "linear" => Rule { is_gated: false, is_delta: false },
        "gated" => Rule { is_gated: true, is_delta: false },
        "delta" => Rule { is_gated: false, is_delta: true },
        "gated_delta" => Rule { is_gated: true, is_delta: true },
        other => return Reason::text(format!("its `update_rule` is `{other}`")),
    };
    let heads = count(Some(node.required_int("q_num_heads")?))?.unwrap_or(1);
    let key_heads = count(Some(node.required_int("kv_num_heads")?))?.unwrap_or(1);
    let scale = node.float("scale", 0.0)?;
    Ok(Prepared::device(move |call| {
        let of = |input: usize, heads: usize| -> NodeResult<Tensor> {
            split(&call.as_type(call.tensor(input)?, DType::F32)?, heads)
        };
        let (query, key, value) = (of(0, heads)?, of(1, key_heads)?, of(2, key_heads)?);
        let (&[batch, _, tokens, elements], Some(&of_value)) = (query.dims(), value.dims().last()) else {
            return Reason::text("its operands have not three axes");
        };
        let scale = if scale == 0.0 { 1.0 / (elements as f32).sqrt() } else { scale };
        let decay = match rule.is_gated {
            true => Some(of(4, key_heads)?.exp()?),
            false => None,
        };
        let rate = match rule.is_delta {
            true => {
                let rates = call.shape(5)?.last().copied().unwrap_or(1);
                Some(of(5, rates)?)
            }
            false => None,
        };
        let past = call.optional_tensor(3)?;
        let of_state = past.as_ref().map_or(call.dtype(0)?, Tensor::dtype);
        let mut state = match past {
            Some(past) => call.as_type(past, DType::F32)?,
            None => Tensor::zeros(call.stream(), [batch, key_heads, elements, of_value], DType::F32)?,
        };
        let mut outputs = Vec::with_capacity(tokens);
        for token in 0..tokens {
            let at = |tensor: &Tensor| tensor.narrow(2, token, 1);
            state = next(&state, [&at(&key)?, &at(&value)?], [&decay, &rate], token)?;
            outputs.push(shared_product(&at(&query)?.contiguous()?, &state)?);
        }
        let y = match tokens {
            0 => Tensor::zeros(call.stream(), [batch, heads, 0, of_value], DType::F32)?,
            _ => ops::cat(&outputs.iter().collect::<Vec<_>>(), 2).run()?.mul(scale)?,
        };
        finished(call, &y, state, of_state)
    }))
}

/// Returns the state after a token.
fn next(
    state: &Tensor,
    [key, value]: [&Tensor; 2],
    [decay, rate]: [&Option<Tensor>; 2],
    token: usize,
) -> NodeResult<Tensor> {
    let column = key.swapaxes(2, 3)?;
    let state = match decay {
        Some(decay) => state.mul(&decay.narrow(2, token, 1)?.swapaxes(2, 3)?)?,
        None => state.clone(),
    };
    let written = match rate {
        Some(rate) => {
            let known = product(key, &state)?;
            value.sub(&known)?.mul(&rate.narrow(2, token, 1)?)?
        }
        None => value.clone(),
    };
    Ok(state.add(&column.mul(&written)?)?)
}

fn finished(call: &Call<'_>, y: &Tensor, state: Tensor, of_state: DType) -> NodeResult<(Tensor, Tensor)> {
    Ok((call.as_type(joined(y)?, call.dtype(0)?)?, call.as_type(state, of_state)?))
}
