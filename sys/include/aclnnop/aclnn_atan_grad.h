#ifndef ACLNNOP_ACLNN_ATAN_GRAD_H
#define ACLNNOP_ACLNN_ATAN_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AtanGrad. */
ACLNN_API aclnnStatus aclnnAtanGradGetWorkspaceSize(const aclTensor *x, const aclTensor *dy, const aclTensor *dx,
                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAtanGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
