#ifndef ACLNNOP_ACLNN_ALL_GATHER_MATMUL_H
#define ACLNNOP_ACLNN_ALL_GATHER_MATMUL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AllGatherMatmul. */
ACLNN_API aclnnStatus aclnnAllGatherMatmulGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                           const aclTensor *bias, const char *group,
                                                           int64_t gatherIndex, int64_t commTurn, int64_t streamMode,
                                                           const aclTensor *output, const aclTensor *gatherOut,
                                                           uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAllGatherMatmul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
