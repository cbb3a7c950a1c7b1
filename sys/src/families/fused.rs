//! Products of matrices fused with the steps before and after them: quantised factors, groups, biases and activations.

/// Calls `$callback!` with the products that are fused with other steps.
#[macro_export]
macro_rules! fused_operators {
    ($callback:path) => {
        $callback! {
            fused, Wide:

            /// The product of two matrices plus a bias, then an activation, or added to or multiplied by a tensor
            fused_matmul (takes: types("float"), output: Own) {
                FusedMatmul = "aclnnFusedMatmul"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, x3: tensor_or_null, fusedOpType: str, cubeMathType: i8,
                    y: out_const
                );
            }

            /// The product of a matrix of floats and a weight of integers, which are dequantised with offsets and scales
            weight_quant_batch_matmul (takes: types("f16 bf16@910B,950"), output: Any(types("f16 bf16@910B,950 i8"))) {
                WeightQuantBatchMatmulV2 = "aclnnWeightQuantBatchMatmulV2"(
                    x: tensor, weight: tensor, antiquantScale: tensor, antiquantOffsetOptional: tensor_or_null,
                    quantScaleOptional: tensor_or_null, quantOffsetOptional: tensor_or_null, biasOptional: tensor_or_null,
                    antiquantGroupSize: int, y: out_const
                );
                WeightQuantBatchMatmulV3 = "aclnnWeightQuantBatchMatmulV3"(
                    x: tensor, weight: tensor, antiquantScale: tensor, antiquantOffsetOptional: tensor_or_null,
                    quantScaleOptional: tensor_or_null, quantOffsetOptional: tensor_or_null, biasOptional: tensor_or_null,
                    antiquantGroupSize: int, innerPrecise: int, y: out_const
                );
                WeightQuantBatchMatmulNz = "aclnnWeightQuantBatchMatmulNz"(
                    x: tensor, weight: tensor, antiquantScale: tensor, antiquantOffsetOptional: tensor_or_null,
                    quantScaleOptional: tensor_or_null, quantOffsetOptional: tensor_or_null, biasOptional: tensor_or_null,
                    antiquantGroupSize: int, y: out_const
                );
            }

            /// The product of two matrices of integers, scaled by column and by row
            quant_matmul (takes: types("i8"), output: Any(types("i8 f16 bf16@910B,950 i32"))) {
                QuantMatmulV3 = "aclnnQuantMatmulV3"(
                    x1: tensor, x2: tensor, scale: tensor, offset: tensor_or_null, bias: tensor_or_null, transposeX1: bool,
                    transposeX2: bool, out: out_const
                );
                QuantMatmulV4 = "aclnnQuantMatmulV4"(
                    x1: tensor, x2: tensor, scale: tensor, offset: tensor_or_null, pertokenScaleOptional: tensor_or_null,
                    bias: tensor_or_null, transposeX1: bool, transposeX2: bool, out: out_const
                );
                QuantMatmulV5 = "aclnnQuantMatmulV5"(
                    x1: tensor, x2: tensor, x1Scale: tensor_or_null, x2Scale: tensor, yScale: tensor_or_null,
                    x1Offset: tensor_or_null, x2Offset: tensor_or_null, yOffset: tensor_or_null, bias: tensor_or_null,
                    transposeX1: bool, transposeX2: bool, groupSize: i64, out: out
                );
                QuantMatmulWeightNz = "aclnnQuantMatmulWeightNz"(
                    x1: tensor, x2: tensor, x1Scale: tensor_or_null, x2Scale: tensor, yScale: tensor_or_null,
                    x1Offset: tensor_or_null, x2Offset: tensor_or_null, yOffset: tensor_or_null, bias: tensor_or_null,
                    transposeX1: bool, transposeX2: bool, groupSize: i64, out: out
                );
            }

            /// The product of two matrices of integers plus a bias of i32, times a scale of all columns or of each, as f16
            early_quant_matmul (takes: types("i8"), output: Any(types("f16"))) {
                QuantMatmul = "aclnnQuantMatmul"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, deqScale: f32, out: out
                );
                QuantMatmulV2 = "aclnnQuantMatmulV2"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, deqScale: tensor, adjX1: bool, adjX2: bool, out: out
                );
            }

            /// The product of two matrices of integers, scaled by column and by row, then an activation, or added to or multiplied by a
            /// tensor of its type. Of the operator only the parameters are known; `fusedOpType` is taken to be that of `fused_matmul`
            fused_quant_matmul (takes: types("i8"), output: Any(types("i8 f16 bf16@910B,950 i32"))) {
                FusedQuantMatmul = "aclnnFusedQuantMatmul"(
                    x1: tensor, x2: tensor, x1Scale: tensor_or_null, x2Scale: tensor, yScaleOptional: tensor_or_null,
                    x1OffsetOptional: tensor_or_null, x2OffsetOptional: tensor_or_null,
                    yOffsetOptional: tensor_or_null, biasOptional: tensor_or_null, x3Optional: tensor_or_null,
                    fusedOpType: str, groupSizeOptional: i64, out: out
                );
                FusedQuantMatmulWeightNz = "aclnnFusedQuantMatmulWeightNz"(
                    x1: tensor, x2: tensor, x1Scale: tensor_or_null, x2Scale: tensor, yScaleOptional: tensor_or_null,
                    x1OffsetOptional: tensor_or_null, x2OffsetOptional: tensor_or_null,
                    yOffsetOptional: tensor_or_null, biasOptional: tensor_or_null, x3Optional: tensor_or_null,
                    fusedOpType: str, groupSizeOptional: i64, out: out
                );
            }

            /// Scales of f32 in the lower halves of 64-bit integers, the form that products of integers take
            trans_quant_param (takes: types("f32"), output: Any(types("u64 i64"))) {
                TransQuantParamV2 = "aclnnTransQuantParamV2"(scale: tensor, offset: tensor_or_null, out: out_const);
                TransQuantParamV3 = "aclnnTransQuantParamV3"(
                    scale: tensor, offset: tensor_or_null, roundMode: i64, out: out_const
                );
            }

            /// The grouped product: groups of rows, or of columns, each times a matrix of its own
            grouped_matmul (takes: types("f16 f32@910B,950 bf16@910B,950 i8@910B,950"), output: Any(types("float i8 i32"))) {
                GroupedMatmul = "aclnnGroupedMatmul"(
                    x: tensors, weight: tensors, biasOptional: tensors_or_null, scaleOptional: tensors_or_null,
                    offsetOptional: tensors_or_null, antiquantScaleOptional: tensors_or_null,
                    antiquantOffsetOptional: tensors_or_null, groupListOptional: ints_or_null, splitItem: i64,
                    y: tensors_out_const
                );
                GroupedMatmulV2 = "aclnnGroupedMatmulV2"(
                    x: tensors, weight: tensors, biasOptional: tensors_or_null, scaleOptional: tensors_or_null,
                    offsetOptional: tensors_or_null, antiquantScaleOptional: tensors_or_null,
                    antiquantOffsetOptional: tensors_or_null, groupListOptional: ints_or_null, splitItem: i64,
                    groupType: i64, y: tensors_out_const
                );
                GroupedMatmulV3 = "aclnnGroupedMatmulV3"(
                    x: tensors, weight: tensors, biasOptional: tensors_or_null, scaleOptional: tensors_or_null,
                    offsetOptional: tensors_or_null, antiquantScaleOptional: tensors_or_null,
                    antiquantOffsetOptional: tensors_or_null, groupListOptional: tensor_or_null, splitItem: i64,
                    groupType: i64, y: tensors_out_const
                );
                GroupedMatmulV4 = "aclnnGroupedMatmulV4"(
                    x: tensors, weight: tensors, biasOptional: tensors_or_null, scaleOptional: tensors_or_null,
                    offsetOptional: tensors_or_null, antiquantScaleOptional: tensors_or_null,
                    antiquantOffsetOptional: tensors_or_null, perTokenScaleOptional: tensors_or_null,
                    groupListOptional: tensor_or_null, activationInputOptional: tensors_or_null,
                    activationQuantScaleOptional: tensors_or_null, activationQuantOffsetOptional: tensors_or_null,
                    splitItem: i64, groupType: i64, groupListType: i64, actType: i64, out: tensors_out,
                    activationFeatureOutOptional: tensors_mut, dynQuantScaleOutOptional: tensors_mut
                );
                GroupedMatmulV5 = "aclnnGroupedMatmulV5"(
                    x: tensors, weight: tensors, biasOptional: tensors_or_null, scaleOptional: tensors_or_null,
                    offsetOptional: tensors_or_null, antiquantScaleOptional: tensors_or_null,
                    antiquantOffsetOptional: tensors_or_null, perTokenScaleOptional: tensors_or_null,
                    groupListOptional: tensor_or_null, activationInputOptional: tensors_or_null,
                    activationQuantScaleOptional: tensors_or_null, activationQuantOffsetOptional: tensors_or_null,
                    splitItem: i64, groupType: i64, groupListType: i64, actType: i64, tuningConfigOptional: ints_mut,
                    out: tensors_out, activationFeatureOutOptional: tensors_mut, dynQuantScaleOutOptional: tensors_mut
                );
                GroupedMatmulWeightNz = "aclnnGroupedMatmulWeightNz"(
                    x: tensors, weight: tensors, biasOptional: tensors_or_null, scaleOptional: tensors_or_null,
                    offsetOptional: tensors_or_null, antiquantScaleOptional: tensors_or_null,
                    antiquantOffsetOptional: tensors_or_null, perTokenScaleOptional: tensors_or_null,
                    groupListOptional: tensor_or_null, activationInputOptional: tensors_or_null,
                    activationQuantScaleOptional: tensors_or_null, activationQuantOffsetOptional: tensors_or_null,
                    splitItem: i64, groupType: i64, groupListType: i64, actType: i64, tuningConfigOptional: ints_mut,
                    quantGroupSize: i64, out: tensors_out, activationFeatureOutOptional: tensors_mut,
                    dynQuantScaleOutOptional: tensors_mut
                );
            }

            /// Products of the matrices of two tensors, of which the axes change places before and after
            transpose_batch_mat_mul (takes: types("float@910B,950"), output: Own) {
                TransposeBatchMatMul = "aclnnTransposeBatchMatMul"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, scale: tensor_or_null, permX1: ints, permX2: ints,
                    permY: ints, cubeMathType: i8, batchSplitFactor: i32, out: out
                );
                TransposeBatchMatMulWeightNz = "aclnnTransposeBatchMatMulWeightNz"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, scale: tensor_or_null, permX1: ints, permX2: ints,
                    permY: ints, cubeMathType: i8, batchSplitFactor: i32, out: out
                );
            }

            /// Products of parts of the common axis, added to a matrix for each part
            grouped_matmul_add (takes: types("f16@910B,950 bf16@910B,950"), output: Any(types("f32@910B,950"))) {
                GroupedMatmulAdd = "aclnnGroupedMatmulAdd"(
                    x: tensor, weight: tensor, groupList: tensor, yRef: inout, transposeX: bool, transposeWeight: bool,
                    groupType: i64
                );
                GroupedMatmulAddV2 = "aclnnGroupedMatmulAddV2"(
                    x: tensor, weight: tensor, groupList: tensor, yRef: inout, transposeX: bool, transposeWeight: bool,
                    groupType: i64, groupListType: i64
                );
            }

            /// The GELU of a product of two matrices plus a bias; `approximate` is 0, or 1 for the form with tanh
            fused_matmul_gelu (takes: types("float@910B,950"), output: Own) {
                FusedMatmulGelu = "aclnnFusedMatmulGelu"(
                    x: tensor, weight: tensor, bias: tensor_or_null, approximate: i64, y: out
                );
            }

            /// Two products with an activation between them, for the rows of experts or for all rows: a gated one halves the columns
            /// between; operands that are quantised are left to a device
            feed_forward (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                FFN = "aclnnFFN"(
                    x: tensor, weight1: tensor, weight2: tensor, expertTokens: ints_or_null, bias1: tensor_or_null, bias2: tensor_or_null, scale: tensor_or_null,
                    offset: tensor_or_null, deqScale1: tensor_or_null, deqScale2: tensor_or_null,
                    antiquantScale1: tensor_or_null, antiquantScale2: tensor_or_null,
                    antiquantOffset1: tensor_or_null, antiquantOffset2: tensor_or_null, activation: str,
                    innerPrecise: i64, y: out_const
                );
                FFNV2 = "aclnnFFNV2"(
                    x: tensor, weight1: tensor, weight2: tensor, expertTokens: ints_or_null, bias1: tensor_or_null, bias2: tensor_or_null, scale: tensor_or_null,
                    offset: tensor_or_null, deqScale1: tensor_or_null, deqScale2: tensor_or_null,
                    antiquantScale1: tensor_or_null, antiquantScale2: tensor_or_null,
                    antiquantOffset1: tensor_or_null, antiquantOffset2: tensor_or_null, activation: str,
                    innerPrecise: i64,
                    tokensIndexFlag: bool, y: out_const
                );
                FFNV3 = "aclnnFFNV3"(
                    x: tensor, weight1: tensor, weight2: tensor, expertTokensOptional: tensor_or_null,
                    bias1Optional: tensor_or_null, bias2Optional: tensor_or_null, scaleOptional: tensor_or_null,
                    offsetOptional: tensor_or_null, deqScale1Optional: tensor_or_null, deqScale2Optional: tensor_or_null,
                    antiquantScale1Optional: tensor_or_null, antiquantScale2Optional: tensor_or_null,
                    antiquantOffset1Optional: tensor_or_null, antiquantOffset2Optional: tensor_or_null, activation: str,
                    innerPrecise: i64, tokensIndexFlag: bool, y: out_const
                );
            }
        }
    };
}

fused_operators!(super::info::family);
