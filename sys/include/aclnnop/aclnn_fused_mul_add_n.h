#ifndef ACLNNOP_ACLNN_FUSED_MUL_ADD_N_H
#define ACLNNOP_ACLNN_FUSED_MUL_ADD_N_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FusedMulAddN. */
ACLNN_API aclnnStatus aclnnFusedMulAddNGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2, const aclTensor *x3,
                                                        aclTensor *y, uint64_t *workspaceSize,
                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedMulAddN(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
