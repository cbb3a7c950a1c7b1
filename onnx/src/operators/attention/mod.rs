//! Attention, and what belongs to it.
//!
//! `heads` splits and joins heads and multiplies those that are shared, `masks` hides keys from queries, `scaled` is Attention,
//! `flexible` FlexAttention, `linear` LinearAttention, and `rotary` RotaryEmbedding.

mod flexible;
mod heads;
mod linear;
mod masks;
mod rotary;
mod scaled;

use super::operator::Operator;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Attention", 23, scaled::attention),
    Operator::node("RotaryEmbedding", 23, rotary::rotary_embedding),
    Operator::node("LinearAttention", 27, linear::linear_attention),
    Operator::graphs("FlexAttention", 1, flexible::flex_attention).of("ai.onnx.preview"),
];
