#ifndef ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_V2_H
#define ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares WeightQuantMatmulAllReduceV2. */
ACLNN_API aclnnStatus aclnnWeightQuantMatmulAllReduceV2GetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                        const aclTensor *bias,
                                                                        const aclTensor *antiquantScale,
                                                                        const aclTensor *antiquantOffset,
                                                                        const aclTensor *x3, const char *group,
                                                                        const char *reduceOp, const char *commMode,
                                                                        int64_t commTurn, int64_t streamMode,
                                                                        int64_t antiquantGroupSize,
                                                                        const aclTensor *output,
                                                                        uint64_t *workspaceSize,
                                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnWeightQuantMatmulAllReduceV2(void *workspace, uint64_t workspaceSize,
                                                        aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
