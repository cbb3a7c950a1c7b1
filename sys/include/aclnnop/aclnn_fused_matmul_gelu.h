#ifndef ACLNNOP_ACLNN_FUSED_MATMUL_GELU_H
#define ACLNNOP_ACLNN_FUSED_MATMUL_GELU_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FusedMatmulGelu. */
ACLNN_API aclnnStatus aclnnFusedMatmulGeluGetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                           const aclTensor *bias, int64_t approximate, aclTensor *y,
                                                           uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedMatmulGelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
