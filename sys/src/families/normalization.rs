//! Normalisation: means and variances of parts of a tensor, and its elements scaled by them, forward and backward.

/// Calls `$callback!` with these operators.
#[macro_export]
macro_rules! normalization_operators {
    ($callback:path) => {
        $callback! {
            normalization, Wide:

            /// The trailing axes normalised by their mean and variance, times a weight, and a bias added
            layer_norm (takes: types("float"), output: Any(types("float"))) {
                LayerNorm = "aclnnLayerNorm"(
                    input: tensor, normalizedShape: ints, weightOptional: tensor_or_null, biasOptional: tensor_or_null,
                    eps: f64, out: out, meanOutOptional: out_or_null, rstdOutOptional: out_or_null
                );
                LayerNormWithImplMode = "aclnnLayerNormWithImplMode"(
                    input: tensor, normalizedShape: ints, weightOptional: tensor_or_null, biasOptional: tensor_or_null,
                    eps: f64, out: out, meanOutOptional: out_or_null, rstdOutOptional: out_or_null, implMode: i32
                );
            }

            /// Layer norm, with a result of the operand's type
            fast_layer_norm (takes: types("float@910B"), output: Written(types("float"))) {
                FastLayerNorm = "aclnnFastLayerNorm"(
                    input: tensor, normalizedShape: ints, weightOptional: tensor_or_null, biasOptional: tensor_or_null,
                    eps: f64, out: out, meanOutOptional: out_or_null, rstdOutOptional: out_or_null
                );
            }

            /// The gradients of layer_norm
            layer_norm_backward (takes: types("f32 f16 bf16"), output: Any(types("f32 f16 bf16"))) {
                LayerNormBackward = "aclnnLayerNormBackward"(
                    gradOut: tensor, input: tensor, normalizedShape: ints, mean: tensor, rstd: tensor,
                    weightOptional: tensor_or_null, biasOptional: tensor_or_null, outputMask: bools,
                    gradInputOut: out_or_null, gradWeightOut: out_or_null, gradBiasOut: out_or_null
                );
            }

            /// The sum of two tensors and a bias, its trailing axes normalised as by layer_norm
            add_layer_norm (takes: types("float"), output: Any(types("float"))) {
                AddLayerNorm = "aclnnAddLayerNorm"(
                    x1: tensor, x2: tensor, gamma: tensor, beta: tensor, biasOptional: tensor_or_null, epsilon: f64,
                    additionalOutput: bool, yOut: out_const, meanOut: out_const, rstdOut: out_const, xOut: out_const
                );
            }

            /// The sum of a tensor and another one times alpha, its trailing axes normalised as by layer_norm
            deep_norm (takes: types("float"), output: Own) {
                DeepNorm = "aclnnDeepNorm"(
                    x: tensor, gx: tensor, beta: tensor, gamma: tensor, alpha: f64, epsilon: f64, meanOut: out_const,
                    rstdOut: out_const, yOut: out_const
                );
            }

            /// The trailing axes divided by the root of the mean of their squares, times a weight
            rms_norm (takes: types("float"), output: Own) {
                RmsNorm = "aclnnRmsNorm"(x: tensor, gamma: tensor, epsilon: f64, yOut: out_const, rstdOut: out_const);
            }

            /// Norm by the root of the mean square, with a weight to which 1 is added
            gemma_rms_norm (takes: types("float"), output: Own) {
                GemmaRmsNorm = "aclnnGemmaRmsNorm"(
                    x: tensor, gamma: tensor, epsilon: f64, yOut: out_const, rstdOut: out_const
                );
            }

            /// The gradients of rms_norm
            rms_norm_grad (takes: types("float"), output: Own) {
                RmsNormGrad = "aclnnRmsNormGrad"(
                    dy: tensor, x: tensor, rstd: tensor, gamma: tensor, dxOut: out_const, dgammaOut: out_const
                );
            }

            /// The sum of two tensors, its trailing axes normalised as by rms_norm
            add_rms_norm (takes: types("float"), output: Own) {
                AddRmsNorm = "aclnnAddRmsNorm"(
                    x1: tensor, x2: tensor, gamma: tensor, epsilon: f64, yOut: out, rstdOut: out_or_null,
                    xOut: out_or_null
                );
                InplaceAddRmsNorm = "aclnnInplaceAddRmsNorm"(
                    x1Ref: inout, x2Ref: inout, gamma: tensor, epsilon: f64, rstdOut: out_const
                );
            }

            /// Groups of channels normalised by their mean and variance, times a weight, and a bias added
            group_norm (takes: types("float"), output: Own) {
                GroupNorm = "aclnnGroupNorm"(
                    self_: tensor, gamma: tensor_or_null, beta: tensor_or_null, N: i64, C: i64, HxW: i64, group: i64,
                    eps: f64, out: out, meanOut: out, rstdOut: out
                );
            }

            /// The SiLU of group_norm
            group_norm_silu (takes: types("float"), output: Own) {
                GroupNormSilu = "aclnnGroupNormSilu"(
                    self_: tensor, gamma: tensor_or_null, beta: tensor_or_null, group: i64, eps: f64, out: out,
                    meanOut: out, rstdOut: out
                );
                GroupNormSiluV2 = "aclnnGroupNormSiluV2"(
                    self_: tensor, gamma: tensor_or_null, beta: tensor_or_null, group: i64, eps: f64,
                    activateSilu: bool, out: out, meanOut: out, rstdOut: out
                );
            }

            /// The gradients of group_norm
            group_norm_backward (takes: types("float"), output: Own) {
                GroupNormBackward = "aclnnGroupNormBackward"(
                    gradOut: tensor, input: tensor, mean: tensor, rstd: tensor, gamma: tensor_or_null, N: i64, C: i64,
                    HxW: i64, group: i64, outputMask: bools_or_null, gradInput: out_or_null,
                    gradGammaOut: out_or_null, gradBetaOut: out_or_null
                );
            }

            /// Each channel normalised by the mean and the variance of a batch, or by running ones
            batch_norm (takes: types("float"), output: Written(types("float"))) {
                BatchNorm = "aclnnBatchNorm"(
                    input: tensor, weight: tensor_or_null, bias: tensor_or_null, runningMean: out_or_null,
                    runningVar: out_or_null, training: bool, momentum: f64, eps: f64, output: out,
                    saveMean: out_or_null, saveInvstd: out_or_null
                );
            }

            /// The gradients of batch_norm
            batch_norm_backward (takes: types("float"), output: Any(types("float"))) {
                BatchNormBackward = "aclnnBatchNormBackward"(
                    gradOut: tensor, input: tensor, weight: tensor_or_null, runningMean: tensor_or_null,
                    runningVar: tensor_or_null, saveMean: tensor_or_null, saveInvstd: tensor_or_null, training: bool,
                    eps: f64, outputMask: bools, gradInput: out_or_null, gradWeight: out_or_null, gradBias: out_or_null
                );
                FastBatchNormBackward = "aclnnFastBatchNormBackward"(
                    gradOut: tensor, input: tensor, weight: tensor_or_null, runningMean: tensor_or_null,
                    runningVar: tensor_or_null, saveMean: tensor_or_null, saveInvstd: tensor_or_null, training: bool,
                    eps: f64, outputMask: bools, version: int, gradInput: out_or_null, gradWeight: out_or_null,
                    gradBias: out_or_null
                );
            }

            /// The mean of each channel, and the inverse of its standard deviation
            batch_norm_stats (takes: types("f32 f16 bf16@950"), output: Any(types("f32"))) {
                BatchNormStats = "aclnnBatchNormStats"(input: tensor, eps: f64, mean: out, invstd: out);
            }

            /// Each channel normalised by a mean and the inverse of a standard deviation
            batch_norm_elemt (takes: types("float"), output: Own) {
                BatchNormElemt = "aclnnBatchNormElemt"(
                    input: tensor, weight: tensor_or_null, bias: tensor_or_null, mean: tensor_mut, invstd: tensor_mut,
                    eps: f64, output: out
                );
            }

            /// The sum of each channel, and the sum of its squares
            batch_norm_reduce (takes: types("float"), output: Any(types("f32"))) {
                BatchNormReduce = "aclnnBatchNormReduce"(x: tensor, sum: out, squareSum: out);
            }

            /// The mean and the standard deviation of each channel from those of parts of a batch, as in PyTorch's function of this name
            batch_norm_gather_stats (takes: types("float"), output: Any(types("float"))) {
                BatchNormGatherStatsWithCounts = "aclnnBatchNormGatherStatsWithCounts"(
                    input: tensor, mean: tensor, invstd: tensor, runningMean: out_or_null, runningVar: out_or_null,
                    momentum: f64, eps: f64, counts: tensor, meanAll: out, invstdAll: out
                );
            }

            /// Sums over a part of a batch for the gradients of batch_norm, as in PyTorch's function of this name
            batch_norm_reduce_backward (takes: types("float"), output: Any(types("float"))) {
                BatchNormReduceBackward = "aclnnBatchNormReduceBackward"(
                    gradOut: tensor, input: tensor, mean: tensor, invstd: tensor, weight: tensor_or_null, inputG: bool,
                    weightG: bool, biasG: bool, sumDy: out_or_null, sumDyXmu: out_or_null, gradWeight: out_or_null,
                    gradBias: out_or_null
                );
            }

            /// The gradient of batch_norm of a part of a batch from such sums, as in PyTorch's function of this name
            batch_norm_elemt_backward (takes: types("float"), output: Own) {
                BatchNormElemtBackward = "aclnnBatchNormElemtBackward"(
                    gradOut: tensor, input: tensor, mean: tensor, invstd: tensor, weight: tensor_or_null, sumDy: tensor,
                    sumDyXmu: tensor, counter: tensor_mut, gradInput: out
                );
            }

            /// Each channel of each image normalised by its mean and variance
            instance_norm (takes: types("f32@310P f16@310P"), output: Own) {
                InstanceNorm = "aclnnInstanceNorm"(
                    x: tensor, gamma: tensor, beta: tensor, dataFormat: str, eps: f64, y: out, mean: out, variance: out
                );
            }

            /// Slices along an axis, scaled down if their norm is above a limit
            renorm (takes: types("float"), output: Own) {
                Renorm = "aclnnRenorm"(self_: tensor, p: scalar, dim: i64, maxNorm: scalar, out: out);
                InplaceRenorm = "aclnnInplaceRenorm"(selfRef: inout, p: scalar, dim: i64, maxNorm: scalar);
            }

            /// The rows of a table whose numbers are in `indices`, scaled down if their norm is above a limit
            embedding_renorm (takes: types("float"), output: Own) {
                EmbeddingRenorm = "aclnnEmbeddingRenorm"(
                    selfRef: inout, indices: tensor, maxNorm: f64, normType: f64
                );
            }

            /// The gradients of add_layer_norm
            add_layer_norm_grad (takes: types("f32@310P,910B,950 f16@310P,910B,950 bf16@910B,950"), output: Own) {
                AddLayerNormGrad = "aclnnAddLayerNormGrad"(
                    dy: tensor, x1: tensor, x2: tensor, rstd: tensor, mean: tensor, gamma: tensor,
                    dsumOptional: tensor_or_null, dxOut: out_const, dgammaOut: out_const, dbetaOut: out_const
                );
            }

            /// The gradients of deep_norm
            deep_norm_grad (takes: types("float@910B,950"), output: Own) {
                DeepNormGrad = "aclnnDeepNormGrad"(
                    dy: tensor, x: tensor, gx: tensor, gamma: tensor, mean: tensor, rstd: tensor, alpha: f64,
                    dxOut: out_const, dgxOut: out_const, dbetaOut: out_const, dgammaOut: out_const
                );
            }

            /// Groups of channels normalised by their mean and variance, and perhaps `y / (1 + e^(−scale y))` of the result
            group_norm_swish (takes: types("float@910B,950"), output: Own) {
                GroupNormSwish = "aclnnGroupNormSwish"(
                    x: tensor, gamma: tensor, beta: tensor, numGroups: i64, dataFormatOptional: str_mut, eps: f64,
                    activateSwish: bool, swishScale: f64, yOut: out_const, meanOut: out_const, rstdOut: out_const
                );
            }

            /// The gradients of group_norm_swish with its activation; those of the weights are always written
            group_norm_swish_grad (takes: types("float@910B,950"), output: Own) {
                GroupNormSwishGrad = "aclnnGroupNormSwishGrad"(
                    dy: tensor, mean: tensor, rstd: tensor, x: tensor, gamma: tensor, beta: tensor, numGroups: i64,
                    dataFormatOptional: str_mut, swishScale: f64, dgammaIsRequire: bool, dbetaIsRequire: bool,
                    dxOut: out_const, dgammaOut: out_const, dbetaOut: out_const
                );
            }

            /// Rows normalised as by layer_norm, times one more than a scale, and a shift added; both are those of a batch
            ada_layer_norm (takes: types("float@910B,950"), output: Own) {
                AdaLayerNorm = "aclnnAdaLayerNorm"(
                    x: tensor, scale: tensor, shift: tensor, weightOptional: tensor_or_null,
                    biasOptional: tensor_or_null, epsilon: f64, out: out
                );
                AdaLayerNormV2 = "aclnnAdaLayerNormV2"(
                    x: tensor, scale: tensor, shift: tensor, weightOptional: tensor_or_null,
                    biasOptional: tensor_or_null, epsilon: f64, out: out, meanOutOptional: out_or_null,
                    rstdOutOptional: out_or_null
                );
            }

            /// Rows as ada_layer_norm makes them, times factors of their elements, quantised to i8 with the scale that makes the
            /// largest magnitude of a row 127
            ada_layer_norm_quant (takes: types("f16@910B,950 bf16@910B,950"), output: Any(types("i8@910B,950"))) {
                AdaLayerNormQuant = "aclnnAdaLayerNormQuant"(
                    x: tensor, scale: tensor, shift: tensor, weightOptional: tensor_or_null,
                    biasOptional: tensor_or_null, smoothScalesOptional: tensor_or_null, epsilon: f64, quantMode: str,
                    out: out, quantScale: out, quantOffsetOptional: out_or_null
                );
            }

            /// The gradients of ada_layer_norm
            ada_layer_norm_backward (takes: types("float@910B,950"), output: Own) {
                AdaLayerNormBackward = "aclnnAdaLayerNormBackward"(
                    gradOut: tensor, input: tensor, normalizedShape: ints, rstd: tensor, mean: tensor, scale: tensor,
                    shift: tensor, weightOptional: tensor_or_null, biasOptional: tensor_or_null, gradInputOut: out,
                    gradScaleOut: out, gradShiftOut: out, gradWeightOut: out_or_null, gradBiasOut: out_or_null
                );
            }

            /// Rows times one more than a scale, and a shift added; both are those of a batch
            modulate (takes: types("float@910B,950"), output: Own) {
                Modulate = "aclnnModulate"(
                    self_: tensor, scaleOptional: tensor_or_null, shiftOptional: tensor_or_null, out: out
                );
            }

            /// The gradients of modulate
            modulate_backward (takes: types("float@910B,950"), output: Own) {
                ModulateBackward = "aclnnModulateBackward"(
                    grad_output: tensor, input: tensor, scale: tensor, shift: tensor, grad_input: out_const,
                    grad_scale: out_const, grad_shift: out_const
                );
            }

            /// The sum of two tensors and a bias, its rows normalised as by layer_norm and quantised to i8, once or twice: by
            /// scales and offsets, or with the scale that makes the largest magnitude of a row 127
            add_layer_norm_quant (takes: types("float@910B,950"), output: Any(types("i8@910B,950"))) {
                AddLayerNormQuant = "aclnnAddLayerNormQuant"(
                    x1: tensor, x2: tensor, gamma: tensor, beta: tensor, biasOptional: tensor_or_null,
                    scales1Optional: tensor_or_null, scales2Optional: tensor_or_null, zeroPoints1Optional: tensor_or_null,
                    zeroPoints2Optional: tensor_or_null, quantMode: str, epsilon: f64, additionalOutput: bool,
                    divMode: bool, y1Out: out, y2Out: out_or_null, xOut: out_or_null, outScales1Out: out_or_null,
                    outScales2Out: out_or_null
                );
                AddLayerNormQuantV2 = "aclnnAddLayerNormQuantV2"(
                    x1: tensor, x2: tensor, gamma: tensor, beta: tensor, biasOptional: tensor_or_null,
                    scales1Optional: tensor_or_null, scales2Optional: tensor_or_null, zeroPoints1Optional: tensor_or_null,
                    zeroPoints2Optional: tensor_or_null, quantMode: str, epsilon: f64, additionalOutput: bool,
                    divMode: bool, y1Out: out, y2Out: out_or_null, xOut: out_or_null, layernormRes: out_or_null,
                    outScales1Out: out_or_null, outScales2Out: out_or_null
                );
            }

            /// The sum of two tensors, its rows normalised as by rms_norm, in f32 and in the type of the operands
            add_rms_norm_cast (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                AddRmsNormCast = "aclnnAddRmsNormCast"(
                    x1: tensor, x2: tensor, gamma: tensor, epsilon: f64, y1Out: out_const, y2Out: out_const,
                    rstdOut: out_const, xOut: out_const
                );
            }
        }
    };
}

normalization_operators!(super::info::family);
