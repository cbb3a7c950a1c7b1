//! Parts of models between products, norms and attention: softmax with masks, choices by probability, packed signs, adapters,
//! and gradients of what is repeated or interpolated.
//!
//! CANN describes ScaledMaskedSoftmax, its gradient, ApplyTopKTopP and RepeatInterleaveGrad. The others are published by their
//! names alone, and compute what functions of these names do elsewhere; each says which.

/// Calls `$callback!` with these operators.
#[macro_export]
macro_rules! models_operators {
    ($callback:path) => {
        $callback! {
            models, Wide:

            /// The softmax of the last axis, of elements times a scale; −10000 stands for what a mask hides
            scaled_masked_softmax (takes: types("float@910B,950"), output: Own) {
                ScaledMaskedSoftmax = "aclnnScaledMaskedSoftmax"(
                    x: tensor, mask: tensor, scale: f64, fixedTriuMask: bool, y: out
                );
            }

            /// The gradient of scaled_masked_softmax from its result, 0 where the mask hides
            scaled_masked_softmax_backward (takes: types("float@910B,950"), output: Own) {
                ScaledMaskedSoftmaxBackward = "aclnnScaledMaskedSoftmaxBackward"(
                    gradOutput: tensor, y: tensor, mask: tensor, scale: f64, fixTriuMask: bool, out: out
                );
            }

            /// The softmax of the last axis of elements times a scale, plus a mask of windows and a bias of relative positions, as
            /// Swin Transformers compute it
            masked_softmax_with_rel_pos_bias (takes: types("float@910B,950"), output: Own) {
                MaskedSoftmaxWithRelPosBias = "aclnnMaskedSoftmaxWithRelPosBias"(
                    x: tensor, attenMaskOptional: tensor_or_null, relativePosBias: tensor, scaleValue: f64,
                    innerPrecisionMode: i64, out: out_const
                );
            }

            /// Rows of logits in which −∞ stands for all but the k largest, and for all but those that together have the
            /// probability p
            apply_top_k_top_p (takes: types("float@910B,950"), output: Own) {
                ApplyTopKTopP = "aclnnApplyTopKTopP"(logits: tensor, p: tensor_or_null, k: tensor_or_null, out: out);
            }

            /// Exponentials of the sums of all segments of a row, as Mamba 2 has them: `exp(x[j+1] + … + x[i])` at row i and
            /// column j, and 0 above the diagonal
            exp_segsum (takes: types("float@910B,950"), output: Own) {
                ExpSegsum = "aclnnExpSegsum"(self_: tensor, out: out);
            }

            /// The gradient of exp_segsum from its result, `gradSelf`
            exp_segsum_backward (takes: types("float@910B,950"), output: Own) {
                ExpSegsumBackward = "aclnnExpSegsumBackward"(gradOutput: tensor, gradSelf: tensor, gradInput: out);
            }

            /// Exponentials of costs, scaled so that all rows have one sum and all columns have one, as Megatron assigns tokens to
            /// experts; at most 10000 rounds until columns change by no more than `tol`
            sinkhorn (takes: types("float@910B,950"), output: Own) {
                Sinkhorn = "aclnnSinkhorn"(cost: tensor, tol: scalar_or_null, p: out);
            }

            /// Bits that are 1 where a number is not negative, eight in a byte, the first one lowest; what is missing at the end
            /// is 0
            sign_bits_pack (takes: types("f32@910B,950 f16@910B,950"), output: Any(types("u8@910B,950"))) {
                SignBitsPack = "aclnnSignBitsPack"(self_: tensor, size: i64, out: out);
            }

            /// 1 for each bit that is 1, and −1 for each other one, the lowest bit of a byte first
            sign_bits_unpack (takes: types("u8@910B,950"), output: Any(types("f32@910B,950 f16@910B,950"))) {
                SignBitsUnpack = "aclnnSignBitsUnpack"(self_: tensor, size: i64, dtype: dtype, out: out);
            }

            /// The numbers of axes of one format in another one
            data_format_dim_map (takes: types("i32@910B,950"), output: Own) {
                DataFormatDimMap = "aclnnDataFormatDimMap"(x: tensor, srcFormat: str, dstFormat: str, y: out_const);
            }

            /// The places of the elements of segments, in the order of permuted segments, as FBGEMM computes them
            expand_into_jagged_permute (takes: types("i32@910B,950"), output: Own) {
                ExpandIntoJaggedPermute = "aclnnExpandIntoJaggedPermute"(
                    permute: tensor, inputOffset: tensor, outputOffset: tensor, outputSize: i64,
                    outputPermuteOut: out_const
                );
            }

            /// Rows plus those of an adapter of low rank, which an index chooses: `y + scale (x Aᵀ) Bᵀ` in some columns; a
            /// negative index adds nothing
            add_lora (takes: types("f16@910B,950"), output: Own) {
                AddLora = "aclnnAddLora"(
                    y: tensor, x: tensor, weightB: tensor, indices: tensor, weightAOptional: tensor_or_null,
                    layerIdx: i64, scale: f64, yOffset: i64, ySliceSize: i64, out: out_const
                );
            }

            /// Queries, keys and values with a bias, head by head; queries are divided by the root of the elements of a head
            transform_bias_rescale_qkv (takes: types("float@910B,950"), output: Own) {
                TransformBiasRescaleQkv = "aclnnTransformBiasRescaleQkv"(
                    qkv: tensor, qkvBias: tensor, numHeads: i64, qOut: out_const, kOut: out_const, vOut: out_const
                );
            }

            /// Sums of rows of groups, which are lists of rows with ends or sizes, or the middle axis of three
            grouped_bias_add_grad (takes: types("float@910B,950"), output: Own) {
                GroupedBiasAddGrad = "aclnnGroupedBiasAddGrad"(
                    gradY: tensor, groupIdxOptional: tensor_or_null, out: out
                );
                GroupedBiasAddGradV2 = "aclnnGroupedBiasAddGradV2"(
                    gradY: tensor, groupIdxOptional: tensor_or_null, groupIdxType: i64, out: out
                );
            }

            /// Sums of the slices that repeat_interleave made of one
            repeat_interleave_grad (takes: types("float@910B,950"), output: Own) {
                RepeatInterleaveGrad = "aclnnRepeatInterleaveGrad"(
                    yGrad: tensor, repeats: tensor, axis: i64, out: out_const
                );
            }

            /// Gradients of points, each of which is given to the three points that it was interpolated from, by their weights
            three_interpolate_backward (takes: types("f32@910B,950 f16@910B,950"), output: Own) {
                ThreeInterpolateBackward = "aclnnThreeInterpolateBackward"(
                    grad_x: tensor, idx: tensor, weight: tensor, m: int, grad_y: out
                );
            }

            /// Elements times a scale, plus a bias, of some neighbouring axes, as Caffe's layer of this name
            scale (takes: types("float@910B,950"), output: Own) {
                Scale = "aclnnScale"(
                    x: tensor, scale: tensor, bias: tensor_or_null, axis: i64, numAxes: i64, scaleFromBlob: bool, y: out
                );
            }

            /// Means and inverse deviations of channels of which several devices have sums, and the running statistics
            sync_batch_norm_gather_stats (takes: types("float@910B,950"), output: Own) {
                SyncBatchNormGatherStats = "aclnnSyncBatchNormGatherStats"(
                    totalSum: tensor, totalSquareSum: tensor, sampleCount: tensor, mean: inout, variance: inout,
                    momentum: f32, eps: f32, batchMean: out, batchInvstd: out
                );
            }

            /// The gradient of rows that were given to experts: the sum of those of each row; a negative place has none
            moe_init_routing_v2_grad (takes: types("float@910B,950"), output: Own) {
                MoeInitRoutingV2Grad = "aclnnMoeInitRoutingV2Grad"(
                    gradExpandedX: tensor, expandedRowIdx: tensor, topK: i64, dropPadMode: i64, activeNum: i64,
                    out: out_const
                );
            }

            /// The gradient of gating_top_k from the normalised scores: of the chosen ones, perhaps divided by their sum, through
            /// softmax (`normType` 0) or sigmoid (1)
            moe_gating_top_k_backward (takes: types("float@910B,950"), output: Own) {
                MoeGatingTopKBackward = "aclnnMoeGatingTopKBackward"(
                    xNorm: tensor, gradY: tensor, expertIdx: tensor, renorm: i64, normType: i64,
                    routedScalingFactor: f64, eps: f64, out: out_const
                );
            }
        }
    };
}

models_operators!(super::info::family);
