#ifndef ACLNNOP_ACLNN_ALL_GATHER_MATMUL_V2_H
#define ACLNNOP_ACLNN_ALL_GATHER_MATMUL_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AllGatherMatmulV2. */
ACLNN_API aclnnStatus aclnnAllGatherMatmulV2GetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                             const aclTensor *bias, const aclTensor *x1Scale,
                                                             const aclTensor *x2Scale, const aclTensor *quantScale,
                                                             int64_t blockSize, const char *group, int64_t gatherIndex,
                                                             int64_t commTurn, int64_t streamMode, int64_t groupSize,
                                                             const char *commMode, aclTensor *output,
                                                             aclTensor *gatherOut, aclTensor *amaxOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAllGatherMatmulV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
