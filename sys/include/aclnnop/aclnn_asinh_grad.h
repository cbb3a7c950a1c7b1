#ifndef ACLNNOP_ACLNN_ASINH_GRAD_H
#define ACLNNOP_ACLNN_ASINH_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AsinhGrad. */
ACLNN_API aclnnStatus aclnnAsinhGradGetWorkspaceSize(const aclTensor *y, const aclTensor *dy, aclTensor *z,
                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAsinhGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
