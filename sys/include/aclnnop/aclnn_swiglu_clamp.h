#ifndef ACLNNOP_ACLNN_SWIGLU_CLAMP_H
#define ACLNNOP_ACLNN_SWIGLU_CLAMP_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SwigluClamp. */
ACLNN_API aclnnStatus aclnnSwigluClampGetWorkspaceSize(const aclTensor *x, double limit, aclTensor *y,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSwigluClamp(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
