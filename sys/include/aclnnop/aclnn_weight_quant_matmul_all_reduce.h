#ifndef ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_H
#define ACLNNOP_ACLNN_WEIGHT_QUANT_MATMUL_ALL_REDUCE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares WeightQuantMatmulAllReduce. */
ACLNN_API aclnnStatus aclnnWeightQuantMatmulAllReduceGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                      const aclTensor *bias,
                                                                      const aclTensor *antiquantScale,
                                                                      const aclTensor *antiquantOffset,
                                                                      const aclTensor *x3, const char *group,
                                                                      const char *reduceOp, int64_t commTurn,
                                                                      int64_t streamMode, int64_t antiquantGroupSize,
                                                                      const aclTensor *output, uint64_t *workspaceSize,
                                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnWeightQuantMatmulAllReduce(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
