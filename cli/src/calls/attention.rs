//! Attention, and the rotation of its operands.

use aclnn::Tensor;
use aclnn::ops::{self, Attention};

use super::function::functions;
use super::operation::Direct;

functions! {
    attention(query: tensor, key: tensor, value: tensor, bias: optional_tensor, scale: optional_f64, causal: bool = "false")
        [FlashAttentionScore FlashAttentionScoreV2 FlashAttentionScoreV3] => {
        let attention = prepared([query, key, value], bias, scale, causal);
        Direct(move || attention.run())
    };
    attention_with_log_sum(
        query: tensor, key: tensor, value: tensor, bias: optional_tensor, scale: optional_f64, causal: bool = "false"
    )[FusedInferAttentionScoreV2] => {
        let attention = prepared([query, key, value], bias, scale, causal);
        Direct(move || attention.run_with_log_sum())
    };
    attention_backward(
        grad: tensor, query: tensor, key: tensor, value: tensor, bias: optional_tensor, scale: optional_f64,
        causal: bool = "false"
    )[FlashAttentionScoreGrad FlashAttentionScoreGradV2 FlashAttentionScoreGradV3] => {
        let attention = prepared([query, key, value], bias, scale, causal);
        Direct(move || {
            let grads = attention.backward(&attention.run_for_gradients()?, grad)?;
            Ok([grads.query, grads.key, grads.value].into_iter().chain(grads.bias).collect::<Vec<_>>())
        })
    };
    rotary_embedding(own: tensor, cos: tensor, sin: tensor, rotation: rotation = "half")
        [InterleaveRope RotaryPositionEmbedding RotaryPositionEmbeddingV2] =>
        Direct(move || own.rotary_embedding(cos, sin, rotation));
    rotary_by_positions(query: tensor, key: tensor, positions: tensor, table: tensor, rotation: rotation = "half")
        [RopeWithSinCosCache] => Direct(move || ops::rotary_by_positions(query, key, positions, table, rotation));
    rotary_embedding_backward(
        grad: tensor, cos: tensor, sin: tensor, input: optional_tensor, rotation: rotation = "half"
    )[RotaryPositionEmbeddingGrad] => Direct(move || {
        let grads = ops::rotary_embedding_backward(grad, cos, sin, input, rotation)?;
        let angles = grads.angles.into_iter().flat_map(|(cos, sin)| [cos, sin]);
        Ok([grads.input].into_iter().chain(angles).collect::<Vec<_>>())
    });
}

fn prepared<'a>(
    [query, key, value]: [&'a Tensor; 3],
    bias: Option<&'a Tensor>,
    scale: Option<f64>,
    is_causal: bool,
) -> Attention<'a> {
    let attention = ops::attention(query, key, value);
    let attention = match bias {
        Some(bias) => attention.bias(bias),
        None => attention,
    };
    let attention = match scale {
        Some(scale) => attention.scale(scale),
        None => attention,
    };
    if is_causal { attention.causal() } else { attention }
}
