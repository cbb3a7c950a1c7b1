//! Steps of attention: parts that are joined, a softmax with masks, and states in the place of keys.

/// Calls `$callback!` with these operators.
#[macro_export]
macro_rules! attention_steps_operators {
    ($callback:path) => {
        $callback! {
            attention_steps, Wide:

            /// Results of attention over several parts of the keys, joined by the logarithms of their sums
            join_parts (takes: types("float@910B,950"), output: Own) {
                AttentionUpdate = "aclnnAttentionUpdate"(
                    lse: tensors, localOut: tensors, updateType: i64, out: out, lseOut: out_or_null
                );
            }

            /// Two results of attention over parts of the keys, joined by their greatest scores and sums
            join_two_parts (takes: types("float@910B"), output: Own) {
                RingAttentionUpdate = "aclnnRingAttentionUpdate"(
                    prevAttnOut: tensor, prevSoftmaxMax: tensor, prevSoftmaxSum: tensor, curAttnOut: tensor,
                    curSoftmaxMax: tensor, curSoftmaxSum: tensor, actualSeqQlenOptional: tensor_or_null,
                    inputLayoutOptional: str_mut, attnOutOut: out_const, softmaxMaxOut: out_const,
                    softmaxSumOut: out_const
                );
                RingAttentionUpdateV2 = "aclnnRingAttentionUpdateV2"(
                    prevAttnOut: tensor, prevSoftmaxMax: tensor, prevSoftmaxSum: tensor, curAttnOut: tensor,
                    curSoftmaxMax: tensor, curSoftmaxSum: tensor, actualSeqQlenOptional: tensor_or_null,
                    inputLayoutOptional: str_mut, inputSoftmaxLayoutOptional: str_mut, attnOutOut: out_const,
                    softmaxMaxOut: out_const, softmaxSumOut: out_const
                );
            }

            /// The gated delta rule, token after token, from and to states that lists name
            delta_rule_by_states (takes: types("bf16@910B,950"), output: Own) {
                RecurrentGatedDeltaRule = "aclnnRecurrentGatedDeltaRule"(
                    query: tensor, key: tensor, value: tensor, beta: tensor, stateRef: inout, actualSeqLengths: tensor,
                    ssmStateIndices: tensor, g: tensor_or_null, gk: tensor_or_null,
                    numAcceptedTokens: tensor_or_null, scaleValue: f32, out: out
                );
            }

            /// The gated delta rule of whole sequences, from a state of each to another one
            delta_rule (takes: types("bf16@910B,950"), output: Own) {
                ChunkGatedDeltaRule = "aclnnChunkGatedDeltaRule"(
                    query: tensor, key: tensor, value: tensor, beta: tensor, initialState: tensor,
                    actualSeqLengths: tensor, gOptional: tensor_or_null, scaleValue: f32, out: out_const,
                    finalState: out_const
                );
            }

            /// Attention of pairs over a third element (Floyd attention): scores and values are sums of both pairs with it
            floyd_attention (takes: types("f16@910B bf16@910B"), output: Own) {
                FusedFloydAttention = "aclnnFusedFloydAttention"(
                    query: tensor, key1: tensor, value1: tensor, key2: tensor, value2: tensor,
                    attenMaskOptional: tensor_or_null, scaleValueOptional: f64, softmaxMaxOut: out_const,
                    softmaxSumOut: out_const, attentionOutOut: out_const
                );
            }

            /// The gradients of attention of pairs over a third element
            floyd_attention_backward (takes: types("f16@910B bf16@910B"), output: Own) {
                FusedFloydAttentionGrad = "aclnnFusedFloydAttentionGrad"(
                    query: tensor, key1: tensor, value1: tensor, key2: tensor, value2: tensor, dy: tensor,
                    attenMaskOptional: tensor_or_null, softmaxMax: tensor, softmaxSum: tensor, attentionIn: tensor,
                    scaleValue: f64, dqOut: out_const, dk1Out: out_const, dv1Out: out_const, dk2Out: out_const,
                    dv2Out: out_const
                );
            }
        }
    };
}

attention_steps_operators!(super::info::family);
