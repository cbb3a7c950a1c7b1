//! Quantisation: integers that count steps, and floats rounded to the values of such integers.
//!
//! CANN's description does not say what `quantize` and the `fake_quantize` operators compute: here they are PyTorch's functions
//! of the same names.

/// Calls `$callback!` with the operators that quantise.
#[macro_export]
macro_rules! quantisation_operators {
    ($callback:path) => {
        $callback! {
            quantisation, Wide:

            /// Quantised elements: the nearest whole numbers of steps from a zero point, in an integer type
            quantize (takes: types("float"), output: Any(types("i8 u8 i32"))) {
                Quantize = "aclnnQuantize"(
                    x: tensor, scales: tensor, zeroPoints: tensor, dtype: dtype, axis: i32, out: out
                );
            }

            /// Each element rounded to whole steps within a range, and whether it was within the range; one step for all elements
            fake_quantize_per_tensor (takes: types("float"), output: Own) {
                FakeQuantPerTensorAffineCachemask = "aclnnFakeQuantPerTensorAffineCachemask"(
                    self_: tensor, scale: tensor, zeroPoint: tensor, fakeQuantEnabled: f32, quantMin: i64, quantMax: i64,
                    out: out, mask: out
                );
            }

            /// Each element rounded to whole steps within a range, and whether it was within the range; one step for each index of an axis
            fake_quantize_per_channel (takes: types("float"), output: Own) {
                FakeQuantPerChannelAffineCachemask = "aclnnFakeQuantPerChannelAffineCachemask"(
                    self_: tensor, scale: tensor, zeroPoint: tensor, axis: i64, quantMin: i64, quantMax: i64, out: out,
                    mask: out
                );
            }

            /// Rows quantised to the codes of an integer type, with the scale that makes the largest magnitude the largest code;
            /// perhaps times factors of the elements of a row, or with an offset
            dynamic_quant (
                takes: types("f16 bf16@910B,950"),
                output: Any(types("i8 i4@910B,950 i32@910B,950 hif8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                DynamicQuant = "aclnnDynamicQuant"(
                    x: tensor, smoothScalesOptional: tensor_or_null, yOut: out_const, scaleOut: out_const
                );
                DynamicQuantV2 = "aclnnDynamicQuantV2"(
                    x: tensor, smoothScalesOptional: tensor_or_null, groupIndexOptional: tensor_or_null, dstType: i64,
                    yOut: out_const, scaleOut: out_const, offsetOut: out_const_or_null
                );
                DynamicQuantV3 = "aclnnDynamicQuantV3"(
                    x: tensor, smoothScalesOptional: tensor_or_null, groupIndexOptional: tensor_or_null, dstType: i64,
                    isSymmetrical: bool, quantMode: str, yOut: out_const, scaleOut: out_const, offsetOut: out_const_or_null
                );
                DynamicQuantV4 = "aclnnDynamicQuantV4"(
                    x: tensor, smoothScalesOptional: tensor_or_null, groupIndexOptional: tensor_or_null, dstType: i64,
                    isSymmetrical: bool, quantMode: str, dstTypeMax: f32, yOut: out_const, scaleOut: out_const,
                    offsetOut: out_const_or_null
                );
            }

            /// Elements times a scale, or its square, plus an offset, rounded to the codes of an integer type
            ascend_quant (
                takes: types("f32@310P,910B,950 f16@310P,910B,950 bf16@910B,950"),
                output: Any(types("i8@310P,910B,950 i4@910B,950 i32@910B,950 hif8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                AscendQuant = "aclnnAscendQuant"(
                    x: tensor, scale: tensor, offset: tensor_or_null, sqrtMode: bool, roundMode: str, dstType: i32,
                    y: out_const
                );
                AscendQuantV3 = "aclnnAscendQuantV3"(
                    x: tensor, scale: tensor, offset: tensor_or_null, sqrtMode: bool, roundMode: str, dstType: i32,
                    axis: i32, y: out_const
                );
            }

            /// Gated linear units, quantised: integers of a product are dequantised first, and rows may come in groups with scales
            /// of their own
            dequant_swiglu_quant (
                takes: types("f16@910B,950 bf16@910B,950 i32@910B,950"), output: Any(types("i8@910B,950"))
            ) {
                DequantSwigluQuant = "aclnnDequantSwigluQuant"(
                    x: tensor, weightScaleOptional: tensor_or_null, activationScaleOptional: tensor_or_null,
                    biasOptional: tensor_or_null, quantScaleOptional: tensor_or_null, quantOffsetOptional: tensor_or_null,
                    groupIndexOptional: tensor_or_null, activateLeft: bool, quantModeOptional: str_mut, yOut: out_const,
                    scaleOut: out_const
                );
                DequantSwigluQuantV2 = "aclnnDequantSwigluQuantV2"(
                    x: tensor, weightScaleOptional: tensor_or_null, activationScaleOptional: tensor_or_null,
                    biasOptional: tensor_or_null, quantScaleOptional: tensor_or_null, quantOffsetOptional: tensor_or_null,
                    groupIndexOptional: tensor_or_null, activateLeft: bool, quantModeOptional: str_mut, dstType: i64,
                    roundModeOptional: str_mut, activateDim: i64, swigluMode: i64, clampLimit: f64, gluAlpha: f64,
                    gluBias: f64, yOut: out_const, scaleOut: out_const
                );
            }

            /// Gated linear units, quantised with factors and offsets of groups of rows
            swi_glu_quant (
                takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Any(types("i8@910B,950 i4@910B,950"))
            ) {
                SwiGluQuant = "aclnnSwiGluQuant"(
                    x: tensor, smoothScalesOptional: tensor_or_null, offsetsOptional: tensor_or_null,
                    groupIndexOptional: tensor_or_null, activateLeft: bool, quantModeOptional: str_mut, yOut: out_const,
                    scaleOut: out_const
                );
                SwiGluQuantV2 = "aclnnSwiGluQuantV2"(
                    x: tensor, smoothScalesOptional: tensor_or_null, offsetsOptional: tensor_or_null,
                    groupIndexOptional: tensor_or_null, activateLeft: bool, quantModeOptional: str_mut, groupListType: i64,
                    dstType: i64, yOut: out_const, scaleOut: out_const
                );
            }

            /// Gated linear units of which both parts stay within a limit
            clipped_swiglu (takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Own) {
                ClippedSwiglu = "aclnnClippedSwiglu"(
                    x: tensor, groupIndexOptional: tensor_or_null, dim: i64, alpha: f64, limit: f64, bias: f64,
                    interleaved: bool, out: out_const
                );
            }

            /// The norm of a sum by its mean square, quantised by one or two scales for each element of a row
            add_rms_norm_quant (
                takes: types("f32@310P,910B,950 f16@310P,910B,950 bf16@310P,910B,950"),
                output: Any(types("i8@310P,910B,950 hif8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                AddRmsNormQuant = "aclnnAddRmsNormQuant"(
                    x1: tensor, x2: tensor, gamma: tensor, scales1: tensor, scales2Optional: tensor_or_null,
                    zeroPoints1Optional: tensor_or_null, zeroPoints2Optional: tensor_or_null, axis: i64, epsilon: f64,
                    divMode: bool, y1Out: out, y2Out: out, xOut: out
                );
                AddRmsNormQuantV2 = "aclnnAddRmsNormQuantV2"(
                    x1: tensor, x2: tensor, gamma: tensor, scales1: tensor, scales2Optional: tensor_or_null,
                    zeroPoints1Optional: tensor_or_null, zeroPoints2Optional: tensor_or_null, betaOptional: tensor_or_null,
                    axis: i64, epsilon: f64, divMode: bool, y1Out: out, y2Out: out, xOut: out_or_null, rmsNormOut: out_or_null
                );
            }

            /// The norm of a sum by its mean square, quantised with a scale for each row, perhaps twice
            add_rms_norm_dynamic_quant (
                takes: types("f16@910B,950 bf16@910B,950"),
                output: Any(types("i8@910B,950 i4@910B,950 i32@910B,950 hif8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                AddRmsNormDynamicQuant = "aclnnAddRmsNormDynamicQuant"(
                    x1: tensor, x2: tensor, gamma: tensor, smoothScale1Optional: tensor_or_null,
                    smoothScale2Optional: tensor_or_null, epsilon: f64, y1Out: out, y2Out: out, xOut: out, scale1Out: out,
                    scale2Out: out
                );
                AddRmsNormDynamicQuantV2 = "aclnnAddRmsNormDynamicQuantV2"(
                    x1: tensor, x2: tensor, gamma: tensor, smoothScale1Optional: tensor_or_null,
                    smoothScale2Optional: tensor_or_null, betaOptional: tensor_or_null, epsilon: f64,
                    outputMask: bools_or_null, y1Out: out, y2Out: out, xOut: out, scale1Out: out, scale2Out: out
                );
            }

            /// The norm by the mean square, quantised by one scale and one offset
            rms_norm_quant (
                takes: types("f16@310P,910B,950 bf16@910B,950"), output: Any(types("i8@310P,910B,950 i4@910B,950 i32@910B,950"))
            ) {
                RmsNormQuant = "aclnnRmsNormQuant"(
                    x: tensor, gamma: tensor, beta: tensor, scale: tensor, offset: tensor, epsilon: f64, y: out
                );
            }

            /// The norm by the mean square, quantised with a scale for each row
            rms_norm_dynamic_quant (takes: types("f16@910B bf16@910B"), output: Any(types("i8@910B"))) {
                RmsNormDynamicQuant = "aclnnRmsNormDynamicQuant"(
                    x: tensor, gamma: tensor, smoothScalesOptional: tensor_or_null, betaOptional: tensor_or_null, epsilon: f64,
                    dstType: i64, yOut: out_const, scaleOut: out_const
                );
            }

            /// Blocks of matrices, each quantised with a scale of its own
            dynamic_block_quant (
                takes: types("f32@950 f16@910B,950 bf16@910B,950"),
                output: Any(types("i8@910B,950 hif8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                DynamicBlockQuant = "aclnnDynamicBlockQuant"(
                    x: tensor, minScale: f64, roundModeOptional: str_mut, dstType: i64, rowBlockSize: i64, colBlockSize: i64,
                    yOut: out_const, scaleOut: out_const
                );
                DynamicBlockQuantV2 = "aclnnDynamicBlockQuantV2"(
                    x: tensor, minScale: f64, roundModeOptional: str_mut, dstType: i64, rowBlockSize: i64, colBlockSize: i64,
                    dstTypeMax: f64, yOut: out_const, scaleOut: out_const
                );
            }

            /// Groups of rows of integers, each times a matrix of its own; the products are dequantised, gated and quantised with a
            /// scale for each row
            grouped_matmul_swiglu_quant (takes: types("i8@910B"), output: Any(types("i8@910B"))) {
                GroupedMatmulSwigluQuant = "aclnnGroupedMatmulSwigluQuant"(
                    x: tensor, weight: tensor, bias: tensor_or_null, offset: tensor_or_null, weightScale: tensor, xScale: tensor,
                    groupList: tensor, output: out, outputScale: out, outputOffset: out_or_null
                );
                GroupedMatmulSwigluQuantWeightNZ = "aclnnGroupedMatmulSwigluQuantWeightNZ"(
                    x: tensor, weight: tensor, bias: tensor_or_null, offset: tensor_or_null, weightScale: tensor, xScale: tensor,
                    groupList: tensor, output: out, outputScale: out, outputOffset: out_or_null
                );
                GroupedMatmulSwigluQuantV2 = "aclnnGroupedMatmulSwigluQuantV2"(
                    x: tensor, weight: tensors, weightScale: tensors, weightAssistMatrix: tensors_or_null, bias: tensor_or_null,
                    xScale: tensor, smoothScale: tensor_or_null, groupList: tensor, dequantMode: i64, dequantDtype: i64,
                    quantMode: i64, groupListType: i64, tuningConfigOptional: ints_or_null, output: out, outputScale: out
                );
                GroupedMatmulSwigluQuantWeightNzV2 = "aclnnGroupedMatmulSwigluQuantWeightNzV2"(
                    x: tensor, weight: tensors, weightScale: tensors, weightAssistMatrix: tensors_or_null, bias: tensor_or_null,
                    xScale: tensor, smoothScale: tensor_or_null, groupList: tensor, dequantMode: i64, dequantDtype: i64,
                    quantMode: i64, groupListType: i64, tuningConfigOptional: ints_or_null, output: out, outputScale: out
                );
            }

            /// Integers of a product, plus a bias that is integer, times scales of columns and of rows, plus a bias that is not
            dequant_bias (takes: types("i32@910B,950"), output: Any(types("f16@910B,950 bf16@910B,950"))) {
                DequantBias = "aclnnDequantBias"(
                    x: tensor, weightScale: tensor, activateScaleOptional: tensor_or_null, biasOptional: tensor_or_null,
                    outputDtype: i64, out: out_const
                );
            }

            /// Integers plus an offset, times a scale or its square
            ascend_anti_quant (takes: types("i8@910B,950"), output: Any(types("f16@910B,950 bf16@910B,950"))) {
                AscendAntiQuant = "aclnnAscendAntiQuant"(
                    x: tensor, scale: tensor, offset: tensor_or_null, dstType: i64, sqrtMode: bool, y: out_const
                );
            }

            /// Rows times the scales of their group, plus an offset, rounded to i8; rows behind the last group are 0
            group_quant (takes: types("float@910B,950"), output: Any(types("i8@910B,950"))) {
                GroupQuant = "aclnnGroupQuant"(
                    x: tensor, scale: tensor, groupIndex: tensor, offsetOptional: tensor_or_null, dstType: i32, y: out
                );
            }

            /// Matrices between two others, quantised to four bits with the scale that makes the largest magnitude 7, or less where
            /// numbers are clipped
            flat_quant (takes: types("f16@910B,950 bf16@910B,950"), output: Any(types("i4@910B,950 i32@910B,950"))) {
                FlatQuant = "aclnnFlatQuant"(
                    x: tensor, kroneckerP1: tensor, kroneckerP2: tensor, clipRatio: f64, out: out, quantScale: out
                );
                FlatQuantV2 = "aclnnFlatQuantV2"(
                    x: tensor, kroneckerP1: tensor, kroneckerP2: tensor, clipRatio: f64, dstTypeMax: f64, out: out,
                    quantScale: out
                );
                FlatQuantV3 = "aclnnFlatQuantV3"(
                    x: tensor, kroneckerP1: tensor, kroneckerP2: tensor, groupListOptional: tensor_or_null,
                    clipRatio: f64, dstTypeMax: f64, groupListType: i64, out: out, quantScale: out
                );
            }

            /// Groups of neighbours along an axis as short floats that share a power of two, in the formats MX; short floats of four
            /// bits, and the limits of later forms, are left to a device. Groups of f32 have 32 elements
            dynamic_mx_quant (takes: types("float@950"), output: Any(types("f8e5m2@950 f8e4m3fn@950 f4e2m1@950 f4e1m2@950"))) {
                DynamicMxQuant = "aclnnDynamicMxQuant"(
                    x: tensor, axis: i64, roundModeOptional: str_mut, dstType: i64, blocksize: i64, scaleAlg: i64,
                    yOut: out_const, mxscaleOut: out_const
                );
                DynamicMxQuantV2 = "aclnnDynamicMxQuantV2"(
                    x: tensor, axis: i64, roundModeOptional: str_mut, dstType: i64, blocksize: i64, scaleAlg: i64,
                    dstTypeMax: f64, yOut: out_const, mxscaleOut: out_const
                );
                DynamicMxQuantV3 = "aclnnDynamicMxQuantV3"(
                    x: tensor, axis: i64, roundModeOptional: str_mut, dstType: i64, blocksize: i64, scaleAlg: i64,
                    dstTypeMax: f64, maxLowBound: f64, yOut: out_const, mxscaleOut: out_const
                );
            }

            /// The rows of groups times the matrices of these, with a scale for each row and for each column of a matrix and plus a bias,
            /// and then times a factor of the row; each is added to the row of the result that `rowIndex` says, with a part of
            /// the result to which the rows of a shared expert are added, times a number. Of the operator only the
            /// parameters are known: missing factors are 1, a bias is added behind the scales, and `dtype` is 0, 1 or 2 for a result of
            /// f32, f16 or bf16
            grouped_matmul_finalize_routing (takes: types("i8@910B,950"), output: Any(types("f32 f16 bf16"))) {
                GroupedMatmulFinalizeRouting = "aclnnGroupedMatmulFinalizeRouting"(
                    x: tensor, w: tensor_mut, scaleOptional: tensor_or_null, biasOptional: tensor_or_null,
                    pertokenScaleOptional: tensor_or_null, groupListOptional: tensor_or_null, sharedInputOptional:
                    tensor_or_null, logitOptional: tensor_or_null, rowIndexOptional: tensor_or_null, dtype: i64,
                    sharedInputWeight: f32, sharedInputOffset: i64, transposeX: bool, transposeW: bool, groupListType:
                    i64, y: out
                );
                GroupedMatmulFinalizeRoutingV2 = "aclnnGroupedMatmulFinalizeRoutingV2"(
                    x1: tensor, x2: tensor_mut, scaleOptional: tensor_or_null, biasOptional: tensor_or_null,
                    offsetOptional: tensor_or_null, antiquantScaleOptional: tensor_or_null, antiquantOffsetOptional:
                    tensor_or_null, pertokenScaleOptional: tensor_or_null, groupListOptional: tensor_or_null,
                    sharedInputOptional: tensor_or_null, logitOptional: tensor_or_null, rowIndexOptional:
                    tensor_or_null, dtype: i64, sharedInputWeight: f32, sharedInputOffset: i64, transposeX1: bool,
                    transposeX2: bool, groupListType: i64, out: out
                );
                GroupedMatmulFinalizeRoutingV3 = "aclnnGroupedMatmulFinalizeRoutingV3"(
                    x1: tensor, x2: tensor_mut, scaleOptional: tensor_or_null, biasOptional: tensor_or_null,
                    offsetOptional: tensor_or_null, antiquantScaleOptional: tensor_or_null, antiquantOffsetOptional:
                    tensor_or_null, pertokenScaleOptional: tensor_or_null, groupListOptional: tensor_or_null,
                    sharedInputOptional: tensor_or_null, logitOptional: tensor_or_null, rowIndexOptional:
                    tensor_or_null, dtype: i64, sharedInputWeight: f32, sharedInputOffset: i64, transposeX1: bool,
                    transposeX2: bool, groupListType: i64, tuningConfigOptional: ints_or_null, out: out
                );
                GroupedMatmulFinalizeRoutingWeightNz = "aclnnGroupedMatmulFinalizeRoutingWeightNz"(
                    x1: tensor, x2: tensor, scale: tensor, bias: tensor_or_null, pertokenScaleOptional: tensor_or_null,
                    groupList: tensor, sharedInput: tensor_or_null, logit: tensor_or_null, rowIndex: tensor, dtype: i64,
                    sharedInputWeight: f32, sharedInputOffset: i64, transposeX1: bool, transposeX2: bool, groupListType:
                    i64, out: out
                );
                GroupedMatmulFinalizeRoutingWeightNzV2 = "aclnnGroupedMatmulFinalizeRoutingWeightNzV2"(
                    x1: tensor, x2: tensor_mut, scale: tensor, bias: tensor_or_null, offsetOptional: tensor_or_null,
                    antiquantScaleOptional: tensor_or_null, antiquantOffsetOptional: tensor_or_null,
                    pertokenScaleOptional: tensor_or_null, groupList: tensor, sharedInput: tensor_or_null, logit:
                    tensor_or_null, rowIndex: tensor, dtype: i64, sharedInputWeight: f32, sharedInputOffset: i64,
                    transposeX1: bool, transposeX2: bool, groupListType: i64, tuningConfigOptional: ints_or_null, out:
                    out
                );
            }

            /// The sum of products of pairs of matrices of integers, with a scale for each row of a pair, times a scale for each column. Of
            /// the operator only the parameters are known
            quant_matmul_reduce_sum (takes: types("i8@910B,950"), output: Any(types("bf16 f16"))) {
                QuantMatmulReduceSumWeightNz = "aclnnQuantMatmulReduceSumWeightNz"(
                    x1: tensor, x2: tensor, x1Scale: tensor, x2Scale: tensor, yScale: tensor_or_null,
                    x1Offset: tensor_or_null, x2Offset: tensor_or_null, yOffset: tensor_or_null, bias: tensor_or_null,
                    transposeX1: bool, transposeX2: bool, groupSize: i64, dims: ints, keepDims: bool, out: out
                );
            }

            /// Rows that are quantised, by scales of their own or that are given, times the matrices of their groups, with a scale for
            /// each column. A scale that is given divides its row, and multiplies what comes of it unless `weightScale` is i64
            quant_grouped_matmul_dequant (takes: types("f16@310P"), output: Own) {
                QuantGroupedMatmulDequant = "aclnnQuantGroupedMatmulDequant"(
                    x: tensor, weight: tensor, weightScale: tensor, groupList: tensor, biasOptional: tensor_or_null,
                    xScaleOptional: tensor_or_null, xOffsetOptional: tensor_or_null,
                    smoothScaleOptional: tensor_or_null, xQuantMode: str_mut, transposeWeight: bool, out: out_const
                );
                QuantGroupedMatmulDequantWeightNZ = "aclnnQuantGroupedMatmulDequantWeightNZ"(
                    x: tensor, weight: tensor, weightScale: tensor, groupList: tensor, biasOptional: tensor_or_null,
                    xScaleOptional: tensor_or_null, xOffsetOptional: tensor_or_null,
                    smoothScaleOptional: tensor_or_null, xQuantMode: str_mut, transposeWeight: bool, out: out
                );
            }

            /// Rows of which each part is multiplied by a matrix, quantised with a scale for each row; `trans` turns the matrix. Of the
            /// operator only the parameters are known
            rotate_quant (takes: types("f16@910B,950 bf16@910B,950"), output: Any(types("i8 i4 i32"))) {
                RotateQuant = "aclnnRotateQuant"(
                    x: tensor, rotation: tensor, alpha: tensor_or_null, axis: i64, roundMode: str_mut, scaleAlg: i64,
                    dstTypeMax: f64, trans: bool, yOut: out, scaleOut: out
                );
            }

            /// Groups of 32 neighbours along the last axis as `dynamic_mx_quant` makes them, and those along the axis before it
            dynamic_mx_quant_of_both (
                takes: types("f16@950 bf16@950"), output: Any(types("f8e5m2@950 f8e4m3fn@950 f4e2m1@950 f4e1m2@950"))
            ) {
                DynamicMxQuantWithDualAxis = "aclnnDynamicMxQuantWithDualAxis"(
                    x: tensor, roundModeOptional: str_mut, dstType: i64, scaleAlg: i64, y1Out: out_const,
                    mxscale1Out: out_const, y2Out: out_const, mxscale2Out: out_const
                );
                DynamicMxQuantWithDualAxisV2 = "aclnnDynamicMxQuantWithDualAxisV2"(
                    x: tensor, roundModeOptional: str_mut, dstType: i64, scaleAlg: i64, dstTypeMax: f64,
                    y1Out: out_const, mxscale1Out: out_const, y2Out: out_const, mxscale2Out: out_const
                );
            }

            /// Blocks of 32 rows and columns as short floats that share a power of two as in `dynamic_mx_quant`; the powers are written
            /// as those of groups along the last axis, and along the axis before it
            dynamic_block_mx_quant (
                takes: types("f16@950 bf16@950"), output: Any(types("f8e5m2@950 f8e4m3fn@950 f4e2m1@950 f4e1m2@950"))
            ) {
                DynamicBlockMxQuant = "aclnnDynamicBlockMxQuant"(
                    x: tensor, roundModeOptional: str_mut, dstType: i64, scaleAlg: i64, dstTypeMax: f64, yOut: out_const,
                    scale1Out: out_const, scale2Out: out_const
                );
            }

            /// Elements times a scale, quantised, and the largest magnitude before; of all rows, or of those up to each end of a
            /// list. Rows behind the last end become 0
            quant_max (
                takes: types("f32@950 f16@950 bf16@950"), output: Any(types("f8e5m2@950 f8e4m3fn@950"))
            ) {
                QuantMax = "aclnnQuantMax"(
                    x: tensor, scale: tensor, roundMode: str_mut, dstType: i64, y: out_const, amax: out_const
                );
                GroupedQuantMax = "aclnnGroupedQuantMax"(
                    x: tensor, scale: tensor, groupList: tensor, roundMode: str, dstType: i64, y: out_const,
                    amax: out_const
                );
            }

            /// Groups of neighbours along the first of two axes as `dynamic_mx_quant` makes them, which begin anew behind each end
            /// of a list
            ///
            /// The powers of a part stand behind as many pairs as there are whole pairs of groups before its first row, and parts
            /// before it. Rows behind the last end become 0.
            grouped_dynamic_mx_quant (
                takes: types("f16@950 bf16@950"), output: Any(types("f8e5m2@950 f8e4m3fn@950"))
            ) {
                GroupedDynamicMxQuant = "aclnnGroupedDynamicMxQuant"(
                    x: tensor, groupIndex: tensor, roundMode: str, dstType: i64, blocksize: i64, y: out_const,
                    mxscale: out_const
                );
                GroupedDynamicMxQuantV2 = "aclnnGroupedDynamicMxQuantV2"(
                    x: tensor, groupIndex: tensor, roundMode: str, dstType: i64, blocksize: i64, scaleAlg: i64,
                    dstTypeMax: f64, y: out_const, mxscale: out_const
                );
            }

            /// Groups of 32 neighbours along the last of two axes, and along the first one as `grouped_dynamic_mx_quant` makes them
            grouped_dynamic_mx_quant_of_both (
                takes: types("f16@950 bf16@950"), output: Any(types("f8e5m2@950 f8e4m3fn@950"))
            ) {
                GroupedDynamicMxQuantWithDualAxis = "aclnnGroupedDynamicMxQuantWithDualAxis"(
                    x: tensor, groupIndex: tensor, roundModeOptional: str_mut, scaleAlg: i64, dstDtype: i64,
                    maxDtypeValue: f64, y1Out: out_const, y1ScaleOut: out_const, y2Out: out_const, y2ScaleOut: out_const
                );
            }

            /// Blocks of the rows of groups as `dynamic_block_quant` makes them on the 950, which begin anew with each group
            ///
            /// The scales of a group stand behind as many rows as there are whole blocks before its first row, and groups before
            /// it. Groups are ends (`groupListType` 0) or numbers of rows (1); rows behind the last one become 0.
            grouped_dynamic_block_quant (
                takes: types("f32@950 f16@950 bf16@950"), output: Any(types("i8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                GroupedDynamicBlockQuant = "aclnnGroupedDynamicBlockQuant"(
                    x: tensor, groupList: tensor, minScale: f64, roundModeOptional: str_mut, dstType: i64,
                    rowBlockSize: i64, colBlockSize: i64, groupListType: i64, yOut: out_const, scaleOut: out_const
                );
                GroupedDynamicBlockQuantV2 = "aclnnGroupedDynamicBlockQuantV2"(
                    x: tensor, groupList: tensor, minScale: f64, roundModeOptional: str_mut, dstType: i64,
                    rowBlockSize: i64, colBlockSize: i64, groupListType: i64, dstTypeMax: f64, yOut: out_const,
                    scaleOut: out_const
                );
            }

            /// The norm by the mean square, divided by scales (`divMode`) or multiplied by them, plus offsets: one for all elements
            /// of a row, or one for each
            rms_norm_quant_v3 (
                takes: types("f32@950 f16@950 bf16@950"), output: Any(types("i8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                RmsNormQuantV3 = "aclnnRmsNormQuantV3"(
                    x: tensor, gamma: tensor, scale: tensor, offset: tensor_or_null, beta: tensor_or_null, epsilon: f64,
                    divMode: bool, outputRstd: bool, y: out, rstd: out_or_null
                );
            }

            /// The gradients of the norm by the mean square: that of its rows quantised as by `rms_norm_quant_v3`, and that of gamma
            rms_norm_grad_quant (
                takes: types("f32@950 f16@950 bf16@950"), output: Any(types("i8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                RmsNormGradQuant = "aclnnRmsNormGradQuant"(
                    dy: tensor, x: tensor, rstd: tensor, gamma: tensor, scalesX: tensor, offsetXOptional: tensor_or_null,
                    quantMode: str, divMode: bool, dxOut: out, dgammaOut: out
                );
            }

            /// The GELU times scales, plus offsets (`quantMode` "static"), or with the scale of each row that makes its largest
            /// magnitude the largest code ("dynamic")
            gelu_quant (
                takes: types("f32@950 f16@950 bf16@950"), output: Any(types("i8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                GeluQuant = "aclnnGeluQuant"(
                    self_: tensor, inputScaleOptional: tensor_or_null, inputOffsetOptional: tensor_or_null,
                    approximate: str, quantMode: str, roundMode: str, dstType: i64, y: out_const,
                    outScaleOptional: out_const_or_null
                );
            }

            /// The norm by the mean square, perhaps of a sum, in groups of 32 neighbours as `dynamic_mx_quant` makes them
            rms_norm_dynamic_mx_quant (
                takes: types("f16@950 bf16@950"), output: Any(types("f8e5m2@950 f8e4m3fn@950 f4e2m1@950 f4e1m2@950"))
            ) {
                RmsNormDynamicMxQuant = "aclnnRmsNormDynamicMxQuant"(
                    x: tensor, gamma: tensor, beta: tensor_or_null, epsilon: f64, scaleAlg: i64, roundMode: str_mut,
                    dstType: i64, outputRstd: bool, yOut: out, mxscaleOut: out, rstdOut: out_or_null
                );
                AddRmsNormDynamicMxQuant = "aclnnAddRmsNormDynamicMxQuant"(
                    x1: tensor, x2: tensor, gamma: tensor, beta: tensor_or_null, epsilon: f64, scaleAlg: i64,
                    roundMode: str_mut, dstType: i64, outputRstd: bool, yOut: out, xOut: out, mxscaleOut: out,
                    rstdOut: out_or_null
                );
            }

            /// Gated units as those of `dequant_swiglu_quant`, of both parts of the axis `activateDim`, in groups of 32 neighbours along
            /// `axis` as `dynamic_mx_quant` makes them
            ///
            /// Units are not rounded before they are quantised. What groups of rows mean here is not known, so a call with
            /// `groupIndex` is refused.
            swiglu_mx_quant (
                takes: types("f16@950 bf16@950"), output: Any(types("f8e5m2@950 f8e4m3fn@950 f4e2m1@950 f4e1m2@950"))
            ) {
                SwigluMxQuant = "aclnnSwigluMxQuant"(
                    x: tensor, groupIndexOptional: tensor_or_null, activateDim: i64, activateLeft: bool, swigluMode: i64,
                    clampLimit: f64, gluAlpha: f64, gluBias: f64, groupMode: i64, axis: i64, dstType: i64,
                    roundModeOptional: str_mut, scaleAlg: i64, maxDtypeValue: f64, yOut: out_const,
                    mxscaleOut: out_const
                );
            }

            /// Gated units of the halves of rows, or the gradients of both halves (`Backward`), in groups of 32 neighbours as
            /// `dynamic_mx_quant_of_both` makes them; where `groupIndex` is given, as `grouped_dynamic_mx_quant_of_both` does
            ///
            /// Of the operators only the parameters are known: `groupIndex` is taken to have ends, and nothing is rounded between
            /// a unit, or a gradient, and its groups.
            swiglu_mx_quant_of_both (
                takes: types("f16@950 bf16@950"), output: Any(types("f8e5m2@950 f8e4m3fn@950 f4e2m1@950 f4e1m2@950"))
            ) {
                SwigluMxQuantWithDualAxis = "aclnnSwigluMxQuantWithDualAxis"(
                    x: tensor, groupIndexOptional: tensor_or_null, activateLeft: bool, roundModeOptional: str_mut,
                    scaleAlg: i64, dstType: i64, maxDtypeValue: f64, y1Out: out_const, mxscale1Out: out_const,
                    y2Out: out_const, mxscale2Out: out_const
                );
                SwigluBackwardMxQuantWithDualAxis = "aclnnSwigluBackwardMxQuantWithDualAxis"(
                    x: tensor, yGrad: tensor, groupIndexOptional: tensor_or_null, activateLeft: bool,
                    roundModeOptional: str_mut, scaleAlg: i64, dstDtype: i64, maxDtypeValue: f64, y1Out: out_const,
                    mxscale1Out: out_const, y2Out: out_const, mxscale2Out: out_const
                );
            }

            /// Short floats times the powers of two that their groups of 32 neighbours share
            anti_mx_quant (takes: types("f8e5m2@950 f8e4m3fn@950"), output: Any(types("float@950"))) {
                AntiMxQuant = "aclnnAntiMxQuant"(
                    x: tensor, mxscale: tensor, axis: i64, dstType: i64, y: out_const
                );
            }
        }
    };
}

quantisation_operators!(super::info::family);
