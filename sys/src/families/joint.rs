//! Operators of several ranks: products of matrices with collectives, and experts that live on several ranks.

/// Calls `$callback!` with the operators of several ranks.
#[macro_export]
macro_rules! joint_operators {
    ($callback:path) => {
        $callback! {
            joint, Wide:

            /// The sum over all ranks of the product of two matrices, plus a bias and a matrix
            matmul_all_reduce (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                MatmulAllReduce = "aclnnMatmulAllReduce"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, group: str, reduceOp: str, commTurn: i64,
                    streamMode: i64, output: out_const
                );
                MatmulAllReduceV2 = "aclnnMatmulAllReduceV2"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, x3: tensor_or_null, group: str, reduceOp: str,
                    commTurn: i64, streamMode: i64, output: out_const
                );
                MatmulAllReduceV3 = "aclnnMatmulAllReduceV3"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, x3: tensor_or_null, group: str, reduceOp: str,
                    commMode: str, commTurn: i64, streamMode: i64, output: out_const
                );
            }

            /// The sum over all ranks of the product of two matrices of integers, times scales and plus a matrix
            quant_matmul_all_reduce (takes: types("i8@910B,950"), output: Any(types("f16 bf16"))) {
                QuantMatmulAllReduce = "aclnnQuantMatmulAllReduce"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, x3: tensor_or_null, dequantScale: tensor, group: str,
                    reduceOp: str, commTurn: i64, streamMode: i64, output: out_const
                );
                QuantMatmulAllReduceV2 = "aclnnQuantMatmulAllReduceV2"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, x3Optional: tensor_or_null,
                    dequantScale: tensor, pertokenScaleOptional: tensor_or_null, group: str, reduceOp: str,
                    commTurn: i64, streamMode: i64, output: out_const
                );
                QuantMatmulAllReduceV3 = "aclnnQuantMatmulAllReduceV3"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, x3Optional: tensor_or_null,
                    dequantScale: tensor, pertokenScaleOptional: tensor_or_null,
                    commQuantScale1Optional: tensor_or_null, commQuantScale2Optional: tensor_or_null, group: str,
                    reduceOp: str, commTurn: i64, streamMode: i64, output: out_const
                );
                QuantMatmulAllReduceV4 = "aclnnQuantMatmulAllReduceV4"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, x3Optional: tensor_or_null,
                    x1ScaleOptional: tensor_or_null, x2Scale: tensor, commQuantScale1Optional: tensor_or_null,
                    commQuantScale2Optional: tensor_or_null, group: str, reduceOp: str, commTurn: i64, streamMode: i64,
                    groupSize: i64, commQuantMode: i64, output: out_const
                );
                QuantMatmulAllReduceV5 = "aclnnQuantMatmulAllReduceV5"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, x3Optional: tensor_or_null,
                    x1ScaleOptional: tensor_or_null, x2Scale: tensor, commQuantScale1Optional: tensor_or_null,
                    commQuantScale2Optional: tensor_or_null, group: str, reduceOp: str, commMode: str, commTurn: i64,
                    streamMode: i64, groupSize: i64, commQuantMode: i64, output: out_const
                );
            }

            /// The sum over all ranks of the product of a matrix and a weight of integers, plus a bias and a matrix
            weight_quant_matmul_all_reduce (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                WeightQuantMatmulAllReduce = "aclnnWeightQuantMatmulAllReduce"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, antiquantScale: tensor,
                    antiquantOffset: tensor_or_null, x3: tensor_or_null, group: str, reduceOp: str, commTurn: i64,
                    streamMode: i64, antiquantGroupSize: i64, output: out_const
                );
                WeightQuantMatmulAllReduceV2 = "aclnnWeightQuantMatmulAllReduceV2"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, antiquantScale: tensor,
                    antiquantOffset: tensor_or_null, x3: tensor_or_null, group: str, reduceOp: str, commMode: str,
                    commTurn: i64, streamMode: i64, antiquantGroupSize: i64, output: out_const
                );
            }

            /// `matmul_all_reduce` plus a residual, and the sum divided by the root of the mean square of its rows
            matmul_all_reduce_add_rms_norm (takes: types("f16@910B bf16@910B"), output: Own) {
                MatmulAllReduceAddRmsNorm = "aclnnMatmulAllReduceAddRmsNorm"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, residual: tensor, gamma: tensor, epsilon: f64,
                    group: str, reduceOp: str, commTurn: i64, streamMode: i64, y: out_const, normOut: out_const
                );
                InplaceMatmulAllReduceAddRmsNorm = "aclnnInplaceMatmulAllReduceAddRmsNorm"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, residual: inout_const, gamma: tensor, epsilon: f64,
                    group: str, reduceOp: str, commTurn: i64, streamMode: i64, normOut: out_const
                );
            }

            /// `quant_matmul_all_reduce` plus a residual, and the sum divided by the root of the mean square of its rows
            quant_matmul_all_reduce_add_rms_norm (takes: types("i8@910B"), output: Any(types("f16 bf16"))) {
                QuantMatmulAllReduceAddRmsNorm = "aclnnQuantMatmulAllReduceAddRmsNorm"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, dequantScale: tensor, residual: tensor, gamma: tensor,
                    epsilon: f64, group: str, reduceOp: str, commTurn: i64, streamMode: i64, y: out_const,
                    normOut: out_const
                );
                InplaceQuantMatmulAllReduceAddRmsNorm = "aclnnInplaceQuantMatmulAllReduceAddRmsNorm"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, dequantScale: tensor, residual: inout_const,
                    gamma: tensor, epsilon: f64, group: str, reduceOp: str, commTurn: i64, streamMode: i64,
                    normOut: out_const
                );
            }

            /// `weight_quant_matmul_all_reduce` plus a residual, and the sum divided by the root of the mean square of its rows
            weight_quant_matmul_all_reduce_add_rms_norm (takes: types("f16@910B bf16@910B"), output: Own) {
                WeightQuantMatmulAllReduceAddRmsNorm = "aclnnWeightQuantMatmulAllReduceAddRmsNorm"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, antiquantScale: tensor,
                    antiquantOffset: tensor_or_null, residual: tensor, gamma: tensor, epsilon: f64, group: str,
                    reduceOp: str, commTurn: i64, streamMode: i64, antiquantGroupSize: i64, y: out_const,
                    normOut: out_const
                );
                InplaceWeightQuantMatmulAllReduceAddRmsNorm = "aclnnInplaceWeightQuantMatmulAllReduceAddRmsNorm"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, antiquantScale: tensor,
                    antiquantOffset: tensor_or_null, residual: inout_const, gamma: tensor, epsilon: f64, group: str,
                    reduceOp: str, commTurn: i64, streamMode: i64, antiquantGroupSize: i64, normOut: out_const
                );
            }

            /// The product of the rows of all ranks and a matrix
            all_gather_matmul (
                takes: types("f16@910B,950 bf16@910B,950 i8@910B,950"), output: Any(types("f16 bf16"))
            ) {
                AllGatherMatmul = "aclnnAllGatherMatmul"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, group: str, gatherIndex: i64, commTurn: i64,
                    streamMode: i64, output: out_const, gatherOut: out_const_or_null
                );
                AllGatherMatmulV2 = "aclnnAllGatherMatmulV2"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, x1Scale: tensor_or_null, x2Scale: tensor_or_null,
                    quantScale: tensor_or_null, blockSize: i64, group: str, gatherIndex: i64, commTurn: i64,
                    streamMode: i64, groupSize: i64, commMode: str, output: out, gatherOut: out_or_null,
                    amaxOut: out_or_null
                );
            }

            /// The rows that belong to a rank of the sum over all ranks of the product of two matrices
            matmul_reduce_scatter (
                takes: types("f16@910B,950 bf16@910B,950 i8@910B,950"), output: Any(types("f16 bf16"))
            ) {
                MatmulReduceScatter = "aclnnMatmulReduceScatter"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, group: str, reduceOp: str, commTurn: i64,
                    streamMode: i64, output: out_const
                );
                MatmulReduceScatterV2 = "aclnnMatmulReduceScatterV2"(
                    x1: tensor, x2: tensor, bias: tensor_or_null, x1Scale: tensor_or_null, x2Scale: tensor_or_null,
                    quantScale: tensor_or_null, blockSize: i64, group: str, reduceOp: str, commTurn: i64,
                    streamMode: i64, groupSize: i64, commMode: str, output: out, amaxOutOptional: out_or_null
                );
            }

            /// The product of rows with columns of all ranks, which each rank gets its part of, and a matrix
            all_to_all_matmul (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                AlltoAllMatmul = "aclnnAlltoAllMatmul"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, alltoAllAxesOptional: ints_or_null,
                    group: str, transposeX1: bool, transposeX2: bool, output: out_const,
                    alltoAllOutOptional: out_const_or_null
                );
                AlltoAllMatmulV2 = "aclnnAlltoAllMatmulV2"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, alltoAllAxesOptional: ints_or_null,
                    group: str, commMode: str, transposeX1: bool, transposeX2: bool, output: out_const,
                    alltoAllOutOptional: out_const_or_null
                );
            }

            /// The product of two matrices, of which each rank gets some columns of the rows of all
            matmul_all_to_all (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                MatmulAlltoAll = "aclnnMatmulAlltoAll"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, alltoAllAxesOptional: ints_or_null,
                    group: str, transposeX1: bool, transposeX2: bool, output: out_const
                );
                MatmulAlltoAllV2 = "aclnnMatmulAlltoAllV2"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, alltoAllAxesOptional: ints_or_null,
                    group: str, commMode: str, transposeX1: bool, transposeX2: bool, output: out_const
                );
            }

            /// The product of rows with columns of all ranks, which each rank gets its part of, and a matrix, both of integers, times
            /// a scale for each row and each column, plus a bias of f32. Rows of floats are quantised when all their columns are
            /// there, by scales of their own; the others have scales when they come. Of the operator only the parameters are known;
            /// `x1QuantMode` is 3, or 7 for floats, `x2QuantMode` 2, and `commQuantDtype` −1
            all_to_all_quant_matmul (
                takes: types("i8@910B,950 f16@910B,950 bf16@910B,950"), output: Any(types("f16 bf16"))
            ) {
                AlltoAllQuantMatmul = "aclnnAlltoAllQuantMatmul"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, x1ScaleOptional: tensor_or_null,
                    x2Scale: tensor, commScaleOptional: tensor_or_null, x1OffsetOptional: tensor_or_null,
                    x2OffsetOptional: tensor_or_null, group: str, alltoAllAxesOptional: ints_or_null,
                    x1QuantMode: i64, x2QuantMode: i64, commQuantMode: i64, commQuantDtype: i64, x1QuantDtype: i64,
                    groupSize: i64, transposeX1: bool, transposeX2: bool, output: out_const,
                    alltoAllOutOptional: out_const_or_null
                );
                AlltoAllQuantMatmulV2 = "aclnnAlltoAllQuantMatmulV2"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, x1ScaleOptional: tensor_or_null,
                    x2Scale: tensor, commScaleOptional: tensor_or_null, x1OffsetOptional: tensor_or_null,
                    x2OffsetOptional: tensor_or_null, group: str, commMode: str, alltoAllAxesOptional: ints_or_null,
                    x1QuantMode: i64, x2QuantMode: i64, commQuantMode: i64, commQuantDtype: i64, x1QuantDtype: i64,
                    groupSize: i64, transposeX1: bool, transposeX2: bool, output: out_const,
                    alltoAllOutOptional: out_const_or_null
                );
            }

            /// The product of two matrices of integers, times a scale for each row and each column, plus a bias of f32, of which each
            /// rank gets some columns of the rows of all; `x1QuantMode` is 3, `x2QuantMode` 2, and `commQuantDtype` −1
            quant_matmul_all_to_all (takes: types("i8@910B,950"), output: Any(types("f16 bf16"))) {
                QuantMatmulAlltoAll = "aclnnQuantMatmulAlltoAll"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, x1Scale: tensor, x2Scale: tensor,
                    commScaleOptional: tensor_or_null, x1OffsetOptional: tensor_or_null,
                    x2OffsetOptional: tensor_or_null, alltoAllAxesOptional: ints_or_null, group: str,
                    x1QuantMode: i64, x2QuantMode: i64, commQuantMode: i64, commQuantDtype: i64, groupSize: i64,
                    transposeX1: bool, transposeX2: bool, output: out_const
                );
                QuantMatmulAlltoAllV2 = "aclnnQuantMatmulAlltoAllV2"(
                    x1: tensor, x2: tensor, biasOptional: tensor_or_null, x1Scale: tensor, x2Scale: tensor,
                    commScaleOptional: tensor_or_null, x1OffsetOptional: tensor_or_null,
                    x2OffsetOptional: tensor_or_null, alltoAllAxesOptional: ints_or_null, group: str, commMode: str,
                    x1QuantMode: i64, x2QuantMode: i64, commQuantMode: i64, commQuantDtype: i64, groupSize: i64,
                    transposeX1: bool, transposeX2: bool, output: out_const
                );
            }

            /// The products of the rows that all ranks send to the experts of this one and the matrices of these
            all_to_allv_grouped_mat_mul (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                AlltoAllvGroupedMatMul = "aclnnAlltoAllvGroupedMatMul"(
                    gmmX: tensor, gmmWeight: tensor, sendCountsTensorOptional: tensor_or_null,
                    recvCountsTensorOptional: tensor_or_null, mmXOptional: tensor_or_null,
                    mmWeightOptional: tensor_or_null, group: str, epWorldSize: i64, sendCounts: ints,
                    recvCounts: ints, transGmmWeight: bool, transMmWeight: bool, permuteOutFlag: bool, gmmY: out,
                    mmYOptional: out_or_null, permuteOutOptional: out_or_null
                );
                AlltoAllvGroupedMatMulV2 = "aclnnAlltoAllvGroupedMatMulV2"(
                    gmmX: tensor, gmmWeight: tensor, sendCountsTensorOptional: tensor_or_null,
                    recvCountsTensorOptional: tensor_or_null, mmXOptional: tensor_or_null,
                    mmWeightOptional: tensor_or_null, group: str, commMode: str, epWorldSize: i64, sendCounts: ints,
                    recvCounts: ints, transGmmWeight: bool, transMmWeight: bool, permuteOutFlag: bool, gmmY: out,
                    mmYOptional: out_or_null, permuteOutOptional: out_or_null
                );
            }

            /// The products of the rows of experts and their matrices, on the ranks that the rows belong to
            grouped_mat_mul_all_to_allv (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                GroupedMatMulAlltoAllv = "aclnnGroupedMatMulAlltoAllv"(
                    gmmX: tensor, gmmWeight: tensor, sendCountsTensorOptional: tensor_or_null,
                    recvCountsTensorOptional: tensor_or_null, mmXOptional: tensor_or_null,
                    mmWeightOptional: tensor_or_null, group: str, epWorldSize: i64, sendCounts: ints,
                    recvCounts: ints, transGmmWeight: bool, transMmWeight: bool, y: out, mmYOptional: out_or_null
                );
                GroupedMatMulAlltoAllvV2 = "aclnnGroupedMatMulAlltoAllvV2"(
                    gmmX: tensor, gmmWeight: tensor, sendCountsTensorOptional: tensor_or_null,
                    recvCountsTensorOptional: tensor_or_null, mmXOptional: tensor_or_null,
                    mmWeightOptional: tensor_or_null, group: str, commMode: str, epWorldSize: i64, sendCounts: ints,
                    recvCounts: ints, transGmmWeight: bool, transMmWeight: bool, y: out, mmYOptional: out_or_null
                );
            }

            /// The rows of tokens on the ranks of their experts, in the order of experts, ranks and tokens
            distribute_dispatch (takes: types("f16@910B,950 bf16@910B,950"), output: Any(types("f16 bf16 i8"))) {
                MoeDistributeDispatch = "aclnnMoeDistributeDispatch"(
                    x: tensor, expertIds: tensor, scales: tensor_or_null, xActiveMask: tensor_or_null,
                    expertScales: tensor_or_null, groupEp: str, epWorldSize: i64, epRankId: i64, moeExpertNum: i64,
                    groupTp: str, tpWorldSize: i64, tpRankId: i64, expertShardType: i64, sharedExpertNum: i64,
                    sharedExpertRankNum: i64, quantMode: i64, globalBs: i64, expertTokenNumsType: i64, expandX: out,
                    dynamicScales: out, expandIdx: out, expertTokenNums: out, epRecvCounts: out, tpRecvCounts: out,
                    expandScales: out
                );
                MoeDistributeDispatchV2 = "aclnnMoeDistributeDispatchV2"(
                    x: tensor, expertIds: tensor, scalesOptional: tensor_or_null, xActiveMaskOptional: tensor_or_null,
                    expertScalesOptional: tensor_or_null, groupEp: str, epWorldSize: i64, epRankId: i64,
                    moeExpertNum: i64, groupTp: str, tpWorldSize: i64, tpRankId: i64, expertShardType: i64,
                    sharedExpertNum: i64, sharedExpertRankNum: i64, quantMode: i64, globalBs: i64,
                    expertTokenNumsType: i64, commAlg: str, expandXOut: out, dynamicScalesOut: out,
                    assistInfoForCombineOut: out, expertTokenNumsOut: out, epRecvCountsOut: out, tpRecvCountsOut: out,
                    expandScalesOut: out
                );
                MoeDistributeDispatchV3 = "aclnnMoeDistributeDispatchV3"(
                    x: tensor, expertIds: tensor, scalesOptional: tensor_or_null, xActiveMaskOptional: tensor_or_null,
                    expertScalesOptional: tensor_or_null, elasticInfoOptional: tensor_or_null, groupEp: str,
                    epWorldSize: i64, epRankId: i64, moeExpertNum: i64, groupTp: str, tpWorldSize: i64, tpRankId: i64,
                    expertShardType: i64, sharedExpertNum: i64, sharedExpertRankNum: i64, quantMode: i64,
                    globalBs: i64, expertTokenNumsType: i64, commAlg: str, zeroExpertNum: i64, copyExpertNum: i64,
                    constExpertNum: i64, expandXOut: out, dynamicScalesOut: out, assistInfoForCombineOut: out,
                    expertTokenNumsOut: out, epRecvCountsOut: out, tpRecvCountsOut: out, expandScalesOut: out
                );
                MoeDistributeDispatchV4 = "aclnnMoeDistributeDispatchV4"(
                    x: tensor, expertIds: tensor, scalesOptional: tensor_or_null, xActiveMaskOptional: tensor_or_null,
                    expertScalesOptional: tensor_or_null, elasticInfoOptional: tensor_or_null,
                    performanceInfoOptional: tensor_or_null, groupEp: str, epWorldSize: i64, epRankId: i64,
                    moeExpertNum: i64, groupTp: str, tpWorldSize: i64, tpRankId: i64, expertShardType: i64,
                    sharedExpertNum: i64, sharedExpertRankNum: i64, quantMode: i64, globalBs: i64,
                    expertTokenNumsType: i64, commAlg: str, zeroExpertNum: i64, copyExpertNum: i64,
                    constExpertNum: i64, expandXOut: out, dynamicScalesOut: out, assistInfoForCombineOut: out,
                    expertTokenNumsOut: out, epRecvCountsOut: out, tpRecvCountsOut: out, expandScalesOut: out
                );
            }

            /// For each token the sum of what its experts, on their ranks, made of its rows, times their factors
            distribute_combine (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                MoeDistributeCombine = "aclnnMoeDistributeCombine"(
                    expandX: tensor, expertIds: tensor, expandIdx: tensor, epSendCounts: tensor, expertScales: tensor,
                    tpSendCounts: tensor_or_null, xActiveMask: tensor_or_null, activationScale: tensor_or_null,
                    weightScale: tensor_or_null, groupList: tensor_or_null, expandScales: tensor_or_null,
                    groupEp: str, epWorldSize: i64, epRankId: i64, moeExpertNum: i64, groupTp: str, tpWorldSize: i64,
                    tpRankId: i64, expertShardType: i64, sharedExpertNum: i64, sharedExpertRankNum: i64,
                    globalBs: i64, outDtype: i64, commQuantMode: i64, groupListType: i64, x: out
                );
                MoeDistributeCombineV2 = "aclnnMoeDistributeCombineV2"(
                    expandX: tensor, expertIds: tensor, assistInfoForCombine: tensor, epSendCounts: tensor,
                    expertScales: tensor, tpSendCountsOptional: tensor_or_null, xActiveMaskOptional: tensor_or_null,
                    activationScaleOptional: tensor_or_null, weightScaleOptional: tensor_or_null,
                    groupListOptional: tensor_or_null, expandScalesOptional: tensor_or_null,
                    sharedExpertXOptional: tensor_or_null, groupEp: str, epWorldSize: i64, epRankId: i64,
                    moeExpertNum: i64, groupTp: str, tpWorldSize: i64, tpRankId: i64, expertShardType: i64,
                    sharedExpertNum: i64, sharedExpertRankNum: i64, globalBs: i64, outDtype: i64, commQuantMode: i64,
                    groupListType: i64, commAlg: str, xOut: out
                );
                MoeDistributeCombineV3 = "aclnnMoeDistributeCombineV3"(
                    expandX: tensor, expertIds: tensor, assistInfoForCombine: tensor, epSendCounts: tensor,
                    expertScales: tensor, tpSendCountsOptional: tensor_or_null, xActiveMaskOptional: tensor_or_null,
                    activationScaleOptional: tensor_or_null, weightScaleOptional: tensor_or_null,
                    groupListOptional: tensor_or_null, expandScalesOptional: tensor_or_null,
                    sharedExpertXOptional: tensor_or_null, elasticInfoOptional: tensor_or_null,
                    oriXOptional: tensor_or_null, constExpertAlpha1Optional: tensor_or_null,
                    constExpertAlpha2Optional: tensor_or_null, constExpertVOptional: tensor_or_null, groupEp: str,
                    epWorldSize: i64, epRankId: i64, moeExpertNum: i64, groupTp: str, tpWorldSize: i64, tpRankId: i64,
                    expertShardType: i64, sharedExpertNum: i64, sharedExpertRankNum: i64, globalBs: i64,
                    outDtype: i64, commQuantMode: i64, groupListType: i64, commAlg: str, zeroExpertNum: i64,
                    copyExpertNum: i64, constExpertNum: i64, xOut: out
                );
                MoeDistributeCombineV4 = "aclnnMoeDistributeCombineV4"(
                    expandX: tensor, expertIds: tensor, assistInfoForCombine: tensor, epSendCounts: tensor,
                    expertScales: tensor, tpSendCountsOptional: tensor_or_null, xActiveMaskOptional: tensor_or_null,
                    activationScaleOptional: tensor_or_null, weightScaleOptional: tensor_or_null,
                    groupListOptional: tensor_or_null, expandScalesOptional: tensor_or_null,
                    sharedExpertXOptional: tensor_or_null, elasticInfoOptional: tensor_or_null,
                    oriXOptional: tensor_or_null, constExpertAlpha1Optional: tensor_or_null,
                    constExpertAlpha2Optional: tensor_or_null, constExpertVOptional: tensor_or_null,
                    performanceInfoOptional: tensor_or_null, groupEp: str, epWorldSize: i64, epRankId: i64,
                    moeExpertNum: i64, groupTp: str, tpWorldSize: i64, tpRankId: i64, expertShardType: i64,
                    sharedExpertNum: i64, sharedExpertRankNum: i64, globalBs: i64, outDtype: i64, commQuantMode: i64,
                    groupListType: i64, commAlg: str, zeroExpertNum: i64, copyExpertNum: i64, constExpertNum: i64,
                    xOut: out
                );
            }

            /// `distribute_combine` plus a residual, and the sum divided by the root of the mean square of its rows
            distribute_combine_add_rms_norm (takes: types("f16@910B bf16@910B"), output: Own) {
                MoeDistributeCombineAddRmsNorm = "aclnnMoeDistributeCombineAddRmsNorm"(
                    expandX: tensor, expertIds: tensor, assistInfoForCombine: tensor, epSendCounts: tensor,
                    expertScales: tensor, residualX: tensor, gamma: tensor, tpSendCountsOptional: tensor_or_null,
                    xActiveMaskOptional: tensor_or_null, activationScaleOptional: tensor_or_null,
                    weightScaleOptional: tensor_or_null, groupListOptional: tensor_or_null,
                    expandScalesOptional: tensor_or_null, sharedExpertXOptional: tensor_or_null, groupEp: str,
                    epWorldSize: i64, epRankId: i64, moeExpertNum: i64, groupTp: str, tpWorldSize: i64, tpRankId: i64,
                    expertShardType: i64, sharedExpertNum: i64, sharedExpertRankNum: i64, globalBs: i64,
                    outDtype: i64, commQuantMode: i64, groupListType: i64, commAlg: str, normEps: f32, yOut: out,
                    rstdOut: out, xOut: out
                );
                MoeDistributeCombineAddRmsNormV2 = "aclnnMoeDistributeCombineAddRmsNormV2"(
                    expandX: tensor, expertIds: tensor, assistInfoForCombine: tensor, epSendCounts: tensor,
                    expertScales: tensor, residualX: tensor, gamma: tensor, tpSendCountsOptional: tensor_or_null,
                    xActiveMaskOptional: tensor_or_null, activationScaleOptional: tensor_or_null,
                    weightScaleOptional: tensor_or_null, groupListOptional: tensor_or_null,
                    expandScalesOptional: tensor_or_null, sharedExpertXOptional: tensor_or_null,
                    elasticInfoOptional: tensor_or_null, oriXOptional: tensor_or_null,
                    constExpertAlpha1Optional: tensor_or_null, constExpertAlpha2Optional: tensor_or_null,
                    constExpertVOptional: tensor_or_null, groupEp: str, epWorldSize: i64, epRankId: i64,
                    moeExpertNum: i64, groupTp: str, tpWorldSize: i64, tpRankId: i64, expertShardType: i64,
                    sharedExpertNum: i64, sharedExpertRankNum: i64, globalBs: i64, outDtype: i64, commQuantMode: i64,
                    groupListType: i64, commAlg: str, normEps: f32, zeroExpertNum: i64, copyExpertNum: i64,
                    constExpertNum: i64, yOut: out, rstdOut: out, xOut: out
                );
            }

            /// Nothing, once all ranks are there
            distribute_barrier (takes: types("float int bool"), output: Own) {
                DistributeBarrier = "aclnnDistributeBarrier"(xRef: inout, group: str, worldSize: i64);
                DistributeBarrierV2 = "aclnnDistributeBarrierV2"(
                    xRef: inout_const, timeOut: tensor_or_null, elasticInfo: tensor_or_null, group: str, worldSize: i64
                );
            }
        }
    };
}

joint_operators!(super::info::family);
