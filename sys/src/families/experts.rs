//! Mixtures of experts: the choice of experts for tokens, the order of tokens by their experts, and their sums afterwards.

/// Calls `$callback!` with the operators of mixtures of experts.
#[macro_export]
macro_rules! experts_operators {
    ($callback:path) => {
        $callback! {
            experts, Wide:

            /// The `k` greatest of the softmax of each row, and where they are
            gating_top_k_softmax (takes: types("f16@310P,910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeGatingTopKSoftmax = "aclnnMoeGatingTopKSoftmax"(
                    x: tensor, finishedOptional: tensor_or_null, k: i64, yOut: out_const, expertIdxOut: out_const,
                    rowIdxOut: out_const
                );
            }

            /// The `k` greatest of the softmax of each row, or the softmax of its `k` greatest, and where they are
            gating_top_k_softmax_v2 (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeGatingTopKSoftmaxV2 = "aclnnMoeGatingTopKSoftmaxV2"(
                    x: tensor, finishedOptional: tensor_or_null, k: i64, renorm: i64, outputSoftmaxResultFlag: bool,
                    yOut: out_const, expertIdxOut: out_const, softmaxResultOutOptional: out_const_or_null
                );
            }

            /// The `k` best experts of each row among those of the best groups, by the softmax or the sigmoids plus a bias
            gating_top_k (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeGatingTopK = "aclnnMoeGatingTopK"(
                    x: tensor, biasOptional: tensor_or_null, k: i64, kGroup: i64, groupCount: i64, groupSelectMode: i64,
                    renorm: i64, normType: i64, outFlag: bool, routedScalingFactor: f64, eps: f64, yOut: out_const,
                    expertIdxOut: out_const, outOut: out_const
                );
                MoeGatingTopKV2 = "aclnnMoeGatingTopKV2"(
                    x: tensor, biasOptional: tensor_or_null, inputIdsOptional: tensor_or_null,
                    tid2eidOptional: tensor_or_null, k: i64, kGroup: i64, groupCount: i64, groupSelectMode: i64,
                    renorm: i64, normType: i64, outFlag: bool, routedScalingFactor: f64, eps: f64, yOut: out_const,
                    expertIdxOut: out_const, outOut: out_const
                );
            }

            /// The rows of tokens in the order of their experts, by numbers that the choices of experts have
            init_routing (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeInitRouting = "aclnnMoeInitRouting"(
                    x: tensor, rowIdx: tensor, expertIdx: tensor, activeNum: i64, expandedXOut: out_const,
                    expandedRowIdxOut: out_const, expandedExpertIdxOut: out_const
                );
            }

            /// The rows of tokens in the order of their experts, or up to a number for each expert, and how many each has
            init_routing_v2 (takes: types("f16@310P,910B,950 f32@310P,910B,950 bf16@910B,950"), output: Own) {
                MoeInitRoutingV2 = "aclnnMoeInitRoutingV2"(
                    x: tensor, expertIdx: tensor, activeNumOptional: i64, expertCapacityOptional: i64,
                    expertNumOptional: i64, dropPadModeOptional: i64, expertTokensCountOrCumsumFlagOptional: i64,
                    expertTokensBeforeCapacityFlagOptional: bool, expandedXOut: out_const, expandedRowIdxOut: out_const,
                    expertTokensCountOrCumsumOutOptional: out_const_or_null,
                    expertTokensBeforeCapacityOutOptional: out_const_or_null
                );
            }

            /// The rows of tokens in the order of their experts, quantised, and how many each expert has
            init_routing_quant (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Any(types("i8 i4"))) {
                MoeInitRoutingQuantV2 = "aclnnMoeInitRoutingQuantV2"(
                    x: tensor, expertIdx: tensor, scaleOptional: tensor_or_null, offsetOptional: tensor_or_null,
                    activeNum: i64, expertCapacity: i64, expertNum: i64, dropPadMode: i64,
                    expertTokensCountOrCumsumFlag: i64, expertTokensBeforeCapacityFlag: bool, quantMode: i64,
                    expandedXOut: out_const, expandedRowIdxOut: out_const,
                    expertTokensCountOrCumsumOutOptional: out_const_or_null,
                    expertTokensBeforeCapacityOutOptional: out_const_or_null,
                    dynamicQuantScaleOutOptional: out_const_or_null
                );
            }

            /// The rows of tokens in the order of their experts, of a range of experts, quantised or not
            init_routing_v3 (
                takes: types("f16@910B,950 f32@910B,950 bf16@910B,950 i8@910B,950"), output: Any(types("float i8"))
            ) {
                MoeInitRoutingV3 = "aclnnMoeInitRoutingV3"(
                    x: tensor, expertIdx: tensor, scaleOptional: tensor_or_null, offsetOptional: tensor_or_null,
                    activeNum: i64, expertCapacity: i64, expertNum: i64, dropPadMode: i64, expertTokensNumType: i64,
                    expertTokensNumFlag: bool, quantMode: i64, activeExpertRangeOptional: ints_or_null, rowIdxType: i64,
                    expandedXOut: out_const, expandedRowIdxOut: out_const, expertTokensCountOrCumsumOut: out_const,
                    expandedScaleOut: out_const
                );
            }

            /// The number of sorted experts of tokens up to each expert
            compute_expert_tokens (takes: types("i32@910B,950"), output: Own) {
                MoeComputeExpertTokens = "aclnnMoeComputeExpertTokens"(
                    sortedExperts: tensor, numExperts: i64, out: out_const
                );
            }

            /// The rows of tokens that came from ranks, in the order of experts and then of ranks, and how many each expert has.
            /// CANN publishes no header of it, so the parameters are those of its definition, in their order
            re_routing (takes: types("f16@910B,950 bf16@910B,950 i8@910B,950"), output: Own) {
                MoeReRouting = "aclnnMoeReRouting"(
                    tokens: tensor, expertTokenNumPerRank: tensor, perTokenScalesOptional: tensor_or_null,
                    expertTokenNumType: i64, idxType: i64, permuteTokensOut: out_const,
                    permutePerTokenScalesOut: out_const_or_null, permuteTokenIdxOut: out_const,
                    expertTokenNumOut: out_const
                );
            }

            /// The rows of tokens in the order of the indices of their experts, and where each choice is then
            token_permute (
                takes: types("f16@910B,950 f32@910B,950 bf16@910B,950 i8@910B,950"), output: Own
            ) {
                MoeTokenPermute = "aclnnMoeTokenPermute"(
                    tokens: tensor, indices: tensor, numOutTokens: i64, paddedMode: bool, permuteTokensOut: out_const,
                    sortedIndicesOut: out_const
                );
            }

            /// The gradient of `token_permute`: for each token the sum over its choices
            token_permute_grad (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeTokenPermuteGrad = "aclnnMoeTokenPermuteGrad"(
                    permutedOutputGrad: tensor, sortedIndices: tensor, numTopk: i64, paddedMode: bool, out: out
                );
            }

            /// For each token the sum of the rows of its choices, times their probabilities
            token_unpermute (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeTokenUnpermute = "aclnnMoeTokenUnpermute"(
                    permutedTokens: tensor, sortedIndices: tensor, probsOptional: tensor_or_null, paddedMode: bool,
                    restoreShapeOptional: ints_or_null, out: out
                );
            }

            /// The gradients of `token_unpermute`: for the rows and for the probabilities
            token_unpermute_grad (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeTokenUnpermuteGrad = "aclnnMoeTokenUnpermuteGrad"(
                    permuteTokens: tensor_or_null, unpermutedTokensGrad: tensor, sortedIndices: tensor,
                    probsOptional: tensor_or_null, paddedMode: bool, restoreShapeOptional: ints_or_null,
                    permutedTokensGradOut: out, probsGradOut: out_or_null
                );
            }

            /// The rows of tokens expert after expert, as a map of tokens and experts says, and their probabilities
            token_permute_with_routing_map (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeTokenPermuteWithRoutingMap = "aclnnMoeTokenPermuteWithRoutingMap"(
                    tokens: tensor, routingMap: tensor, probsOptional: tensor_or_null, numOutTokens: i64,
                    dropAndPad: bool, permuteTokensOut: out, permuteProbsOutOptional: out_or_null, sortedIndicesOut: out
                );
            }

            /// The gradients of `token_permute_with_routing_map`: for tokens and for probabilities
            token_permute_with_routing_map_grad (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeTokenPermuteWithRoutingMapGrad = "aclnnMoeTokenPermuteWithRoutingMapGrad"(
                    permutedTokenOutputGrad: tensor, permutedProbsOutputGradOptional: tensor_or_null,
                    sortedIndices: tensor, routingMapOptional: tensor_or_null, numExperts: i64, tokensNum: i64,
                    dropAndPad: bool, tokensGradOut: out, probsGradOutOptional: out_or_null
                );
            }

            /// For each token the sum of the rows that a map of tokens and experts gave it, times their probabilities
            token_unpermute_with_routing_map (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeTokenUnpermuteWithRoutingMap = "aclnnMoeTokenUnpermuteWithRoutingMap"(
                    permutedTokens: tensor, sortedIndices: tensor, routingMapOptional: tensor_or_null,
                    probsOptional: tensor_or_null, paddedMode: bool, restoreShapeOptional: ints_or_null,
                    unpermutedTokens: out, outIndex: out_or_null, permuteTokenId: out_or_null,
                    permuteProbs: out_or_null
                );
            }

            /// The gradients of `token_unpermute_with_routing_map`: for the rows and for the probabilities
            token_unpermute_with_routing_map_grad (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeTokenUnpermuteWithRoutingMapGrad = "aclnnMoeTokenUnpermuteWithRoutingMapGrad"(
                    unpermutedTokensGrad: tensor, outIndex: tensor, permuteTokenId: tensor,
                    routingMapOptional: tensor_or_null, permutedTokensOptional: tensor_or_null,
                    probsOptional: tensor_or_null, dropAndPad: bool, restoreShapeOptional: ints_or_null,
                    permutedTokensGradOut: out_const, probsGradOutOptional: out_const_or_null
                );
            }

            /// For each token the sum of the rows of its experts, with a bias and a factor each, and of rows of its own
            finalize_routing (takes: types("f16@910B f32@910B bf16@910B"), output: Own) {
                MoeFinalizeRouting = "aclnnMoeFinalizeRouting"(
                    expandedX: tensor, x1: tensor, x2Optional: tensor_or_null, bias: tensor, scales: tensor,
                    expandedRowIdx: tensor, expandedExpertIdx: tensor, out: out_const
                );
            }

            /// For each token the sum of the rows of its experts, in one of four orders, and of rows of its own
            finalize_routing_v2 (
                takes: types("f16@310P,910B,950 f32@310P,910B,950 bf16@910B,950"), output: Own
            ) {
                MoeFinalizeRoutingV2 = "aclnnMoeFinalizeRoutingV2"(
                    expandedX: tensor, expandedRowIdx: tensor, x1Optional: tensor_or_null, x2Optional: tensor_or_null,
                    biasOptional: tensor_or_null, scalesOptional: tensor_or_null, expertIdxOptional: tensor_or_null,
                    dropPadMode: i64, out: out_const
                );
            }

            /// `finalize_routing_v2` with experts that give nothing, the token itself, or the token and a constant row
            finalize_routing_v3 (takes: types("f16@910B,950 f32@910B,950 bf16@910B,950"), output: Own) {
                MoeFinalizeRoutingV3 = "aclnnMoeFinalizeRoutingV3"(
                    expandedX: tensor, expandedRowIdx: tensor, x1Optional: tensor_or_null, x2Optional: tensor_or_null,
                    biasOptional: tensor_or_null, scalesOptional: tensor_or_null, expertIdxOptional: tensor_or_null,
                    xOptional: tensor_or_null, a1Optional: tensor_or_null, a2Optional: tensor_or_null,
                    vOptional: tensor_or_null, dropPadMode: i64, zeroExpertRange: ints_or_null,
                    copyExpertRange: ints_or_null, constantExpertRange: ints_or_null, out: out_const
                );
                MoeFinalizeRoutingV4 = "aclnnMoeFinalizeRoutingV4"(
                    expandedX: tensor, expandedRowIdx: tensor, x1Optional: tensor_or_null, x2Optional: tensor_or_null,
                    biasOptional: tensor_or_null, scalesOptional: tensor_or_null, expertIdxOptional: tensor_or_null,
                    xOptional: tensor_or_null, a1Optional: tensor_or_null, a2Optional: tensor_or_null,
                    vOptional: tensor_or_null, dropPadMode: i64, zeroExpertRange: ints_or_null,
                    copyExpertRange: ints_or_null, constantExpertRange: ints_or_null, k: i64, out: out_const
                );
            }
        }
    };
}

experts_operators!(super::info::family);
