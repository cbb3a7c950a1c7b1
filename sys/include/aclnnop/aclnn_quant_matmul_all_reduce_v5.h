#ifndef ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V5_H
#define ACLNNOP_ACLNN_QUANT_MATMUL_ALL_REDUCE_V5_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantMatmulAllReduceV5. */
ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV5GetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                  const aclTensor *biasOptional,
                                                                  const aclTensor *x3Optional,
                                                                  const aclTensor *x1ScaleOptional,
                                                                  const aclTensor *x2Scale,
                                                                  const aclTensor *commQuantScale1Optional,
                                                                  const aclTensor *commQuantScale2Optional,
                                                                  const char *group, const char *reduceOp,
                                                                  const char *commMode, int64_t commTurn,
                                                                  int64_t streamMode, int64_t groupSize,
                                                                  int64_t commQuantMode, const aclTensor *output,
                                                                  uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantMatmulAllReduceV5(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
