#ifndef ACLNNOP_ACLNN_MATMUL_ALL_REDUCE_V3_H
#define ACLNNOP_ACLNN_MATMUL_ALL_REDUCE_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MatmulAllReduceV3. */
ACLNN_API aclnnStatus aclnnMatmulAllReduceV3GetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                             const aclTensor *bias, const aclTensor *x3,
                                                             const char *group, const char *reduceOp,
                                                             const char *commMode, int64_t commTurn,
                                                             int64_t streamMode, const aclTensor *output,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMatmulAllReduceV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
