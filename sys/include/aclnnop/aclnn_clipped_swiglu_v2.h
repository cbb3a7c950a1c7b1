#ifndef ACLNNOP_ACLNN_CLIPPED_SWIGLU_V2_H
#define ACLNNOP_ACLNN_CLIPPED_SWIGLU_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ClippedSwigluV2. */
ACLNN_API aclnnStatus aclnnClippedSwigluV2GetWorkspaceSize(const aclTensor *x, const aclTensor *groupIndexOptional,
                                                           int64_t dim, double alpha, double limit, double bias,
                                                           bool interleaved, int64_t clampMode, const aclTensor *out,
                                                           uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnClippedSwigluV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
