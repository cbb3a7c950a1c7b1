//! Parts of models between products, norms and attention: softmax with masks, choices by probability, packed signs, adapters,
//! gradients of what is repeated or interpolated, and steps between two passes of a model.
//!
//! CANN describes ScaledMaskedSoftmax, its gradient, ApplyTopKTopP and RepeatInterleaveGrad, and the checks of SilentCheck. The others are published by their
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

            /// The numbers of tokens that are chosen of the elements as `apply_top_k_top_p` chooses them, for k from 1 to 1024 or
            /// `ksMax`, and that have at least a part of the probability of the greatest one. Of them it is the one with the greatest
            /// quotient of its probability and `|q| + eps`
            ///
            /// `q` holds exponential numbers. The later version also writes the elements in order, the greatest one first, and
            /// their numbers, if there is room for them. Where `inputIsLogits` is false, elements are probabilities, and 0 stands
            /// for those that are not chosen; −∞ does for logits.
            top_k_top_p_sample (takes: types("float@910B,950"), output: Any(types("i64@910B,950"))) {
                TopKTopPSample = "aclnnTopKTopPSample"(
                    logits: tensor, topK: tensor, topP: tensor, q: tensor_or_null, eps: f64, isNeedLogits: bool,
                    topKGuess: i64, logitsSelectIdx: out_const, logitsTopKPSelect: out_const_or_null
                );
                TopKTopPSampleV2 = "aclnnTopKTopPSampleV2"(
                    logits: tensor, topK: tensor, topP: tensor, q: tensor_or_null, minPs: tensor_or_null, eps: f64,
                    isNeedLogits: bool, topKGuess: i64, ksMax: i64, inputIsLogits: bool, isNeedSampleResult: bool,
                    logitsSelectIdx: out_const, logitsTopKPSelect: out_const_or_null,
                    logitsIdx: out_const_or_null, logitsSortMasked: out_const_or_null
                );
            }

            /// The next step of sequences, as vLLM prepares it: tokens are those that were sampled, positions and lengths grow by
            /// one, and slots are those of the blocks that tables name
            ///
            /// Sequences from `numQueries` on fill up the batch: they have the token 0, the position 0 and the slot −1. With
            /// drafts, a sequence has a token more than it has drafts: the sampled one behind the `acceptedNum` accepted drafts,
            /// and the new drafts; positions and lengths then grow by `acceptedNum`, too.
            advance_step (takes: types("i64@910B,950 i32@910B,950"), output: Own) {
                AdvanceStep = "aclnnAdvanceStep"(
                    inputTokens: inout_const, sampledTokenIds: tensor, inputPositions: inout_const, seqLens: inout_const,
                    slotMapping: inout_const, blockTables: tensor, numSeqs: i64, numQueries: i64, blockSize: i64
                );
                AdvanceStepV2 = "aclnnAdvanceStepV2"(
                    inputTokens: inout_const, sampledTokenIds: tensor, inputPositions: inout_const, seqLens: inout_const,
                    slotMapping: inout_const, blockTables: tensor, specToken: tensor_or_null,
                    acceptedNum: tensor_or_null, numSeqs: i64, numQueries: i64, blockSize: i64
                );
            }

            /// The level of a fault of a number: 1 if it is not finite, and 1 or 2 if it is above the limit of the level, or jumps
            /// by more than its coefficient times the range of the numbers before
            ///
            /// `sfdaRef` holds the number before, the least one and the greatest one. A jump counts from step `cMinSteps` on. A
            /// fault of level 1 sets the gradient to zero unless `npuAsdDetect` is 1. CANN does not say what a jump is and what
            /// the result means.
            silent_check (takes: types("float@910B"), output: Any(types("i32@910B"))) {
                SilentCheck = "aclnnSilentCheck"(
                    val: tensor, inputGradRef: inout, sfdaRef: inout, stepRef: inout, cMinSteps: i32, cThreshL1: f32,
                    cCoeffL1: f32, cThreshL2: f32, cCoeffL2: f32, npuAsdDetect: i32, result: out
                );
            }

            /// The level of a fault of the greatest number of a gradient: 1 if it is not finite, and 1 or 2 if it is above the
            /// limit of the level times the average
            ///
            /// The average is `avgRef / (1 − beta1^step)`, and follows `val` with `beta1` where no fault is of level 1; at step 0 it
            /// is `avgRef`, where 0 stands for none. A fault of level 1 at step 0 sets the gradient to zero unless `npuAsdDetect`
            /// is 1. The three arrays describe the gradient, which its tensor does, too. CANN's manual writes the divisor as
            /// `(1 − beta1)^step`, by which the average would grow without bound; the one of a moving average is taken here.
            silent_check_v2 (takes: types("float@910B"), output: Any(types("i32@910B"))) {
                SilentCheckV2 = "aclnnSilentCheckV2"(
                    val: tensor, max: tensor, avgRef: inout, inputGradRef: inout, stepRef: inout, dstSize: ints_mut,
                    dstStride: ints_mut, dstOffset: ints_mut, cThreshL1: f32, cThreshL2: f32, beta1: f32,
                    npuAsdDetect: i32, result: out
                );
            }

            /// The exponents of floats, coded by their frequencies, and the other bits as they are
            ///
            /// CANN does not describe its code: this one is the emulator's own, and only `hans_decode` reads it. A float is
            /// rotated left by one bit; its lower bytes become `mantissaOut`, and its highest ones a code of Huffman by `pdfRef`,
            /// which `statistic` counts before. The code fills `fixedOut`, then `varOut`; where it would be longer than the bytes
            /// are, they stand there. Eight bytes before them hold twice the number of bits, plus 1 for a code. `reshuff` is not
            /// used.
            hans_encode (takes: types("float@910B"), output: Own) {
                HansEncode = "aclnnHansEncode"(
                    inputTensor: tensor, pdfRef: inout, statistic: bool, reshuff: bool, mantissaOut: out_const,
                    fixedOut: out_const, varOut: out_const
                );
            }

            /// The floats that `hans_encode` coded, with the same frequencies
            hans_decode (takes: types("float@910B"), output: Own) {
                HansDecode = "aclnnHansDecode"(
                    mantissa: tensor, fixed: tensor, var: tensor, pdf: tensor, reshuff: bool, out: out_const
                );
            }

            /// The logit of a target, exponentials of logits and their sum, as Megatron has them: of a part of a vocabulary, less the
            /// greatest logit of all parts; also the place of the target in the part, and whether it is in another one
            ///
            /// Of a target that is in another part, the logit is 0 and the place is 0.
            index_logit (takes: types("float@910B,950"), output: Any(types("float@910B,950"))) {
                CrossEntropySumExpAndIndexLogit = "aclnnCrossEntropySumExpAndIndexLogit"(
                    vocabParallelLogits: tensor, target: tensor, globalLogitsMax: tensor, vocabStartIndex: i64,
                    vocabEndIndex: i64, predictedLogitsOut: out_const, sumExpLogitsOut: out_const,
                    expLogitsOut: out_const, targetOffsetOut: out_const, targetMaskOut: out_const
                );
            }

            /// Elements in order along an axis, and integers that move with them; NaN is the greatest number, and equal elements
            /// stay in order
            sort_with_index (takes: types("float@910B,950"), output: Own) {
                SortWithIndex = "aclnnSortWithIndex"(
                    x: tensor, index: tensor, axis: i64, descending: bool, stable: bool, valuesOut: out, indicesOut: out
                );
            }

            /// `swiglu_clamp` of rows, times a weight of each; a limit of 0 or less is none
            ///
            /// Groups have numbers of rows; rows behind the last one are computed, too.
            swiglu_group (takes: types("float@910B,950"), output: Own) {
                SwigluGroup = "aclnnSwigluGroup"(
                    x: tensor, weightOptional: tensor_or_null, groupIndexOptional: tensor_or_null, clampLimit: f64,
                    out: out_const
                );
            }

            /// The gradients of `swiglu_group`: of its rows, and of their weights, from the rows before these were applied
            swiglu_group_grad (takes: types("float@910B,950"), output: Own) {
                SwigluGroupGrad = "aclnnSwigluGroupGrad"(
                    gradY: tensor, x: tensor, weightOptional: tensor_or_null, yOriginOptional: tensor_or_null,
                    groupIndexOptional: tensor_or_null, clampLimit: f32, gradXOut: out, gradWeightOutOptional: out_or_null
                );
                SwigluGroupQuantGrad = "aclnnSwigluGroupQuantGrad"(
                    gradY: tensor, x: tensor, weightOptional: tensor_or_null, yOriginOptional: tensor_or_null,
                    groupIndexOptional: tensor_or_null, clampLimit: f64, gradXOut: out_const,
                    gradWeightOutOptional: out_const_or_null
                );
            }

            /// Elements times a mask and a scale
            masked_scale (takes: types("float@950"), output: Own) {
                MaskedScale = "aclnnMaskedScale"(self_: tensor, mask: tensor, scale: f32, out: out);
            }

            /// `x1 · x3 + x2`, where x3 is one element
            fused_mul_add_n (takes: types("float@910B,950"), output: Own) {
                FusedMulAddN = "aclnnFusedMulAddN"(x1: tensor, x2: tensor, x3: tensor, y: out);
            }

            /// An image where a mask is 1, and another one where it is 0; a mask has one channel or all
            background_replace (takes: types("f16@910B u8@910B"), output: Own) {
                BackgroundReplace = "aclnnBackgroundReplace"(bkg: tensor, src: tensor, mask: tensor, out: out_const);
            }

            /// An image times alpha, plus another one times 255 less alpha, if there is one, over 255 without its fraction; alpha
            /// has one channel or all
            blend_images (takes: types("u8@910B"), output: Own) {
                BlendImagesCustom = "aclnnBlendImagesCustom"(rgb: tensor, alpha: tensor, frame: tensor, out: out_const);
                MrgbaCustom = "aclnnMrgbaCustom"(rgb: tensor, alpha: tensor, out: out_const);
            }

            /// The elements in another shape after their axes were put in another order, or before it
            confusion_transpose (takes: types("float@950 int@950"), output: Own) {
                ConfusionTranspose = "aclnnConfusionTranspose"(
                    x: tensor, perm: ints, shape: ints, transpose_first: bool, out: out
                );
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

            /// The gradients of finalize_routing_v2 for the rows of experts and their factors, in the modes of the sum; a place that
            /// does not exist has no row
            moe_finalize_routing_v2_grad (takes: types("float@910B"), output: Own) {
                MoeFinalizeRoutingV2Grad = "aclnnMoeFinalizeRoutingV2Grad"(
                    gradY: tensor, expandedRowIdx: tensor, expandedXOptional: tensor_or_null,
                    scalesOptional: tensor_or_null, expertIdxOptional: tensor_or_null, biasOptional: tensor_or_null,
                    dropPadMode: i64, activeNum: i64, expertNum: i64, expertCapacity: i64,
                    gradExpandedXOut: out_const, gradScalesOut: out_const_or_null
                );
            }

            /// Residual streams of manifold-constrained hyper-connections after a layer, as their paper has it: at stream i
            /// `sum_j hRes[i, j] x[j] + hPost[i] hOut`
            mhc_post (takes: types("f16@910B bf16@910B"), output: Own) {
                MhcPost = "aclnnMhcPost"(x: tensor, hRes: tensor, hOut: tensor, hPost: tensor, out: out);
            }

            /// The gradients of mhc_post
            mhc_post_backward (takes: types("f16@910B bf16@910B"), output: Own) {
                MhcPostBackward = "aclnnMhcPostBackward"(
                    gradOutput: tensor, x: tensor, hRes: tensor, hOut: tensor, hPost: tensor, gradX: out,
                    gradHRes: out, gradHOut: out, gradHPost: out
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
