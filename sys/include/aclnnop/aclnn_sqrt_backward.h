#ifndef ACLNNOP_ACLNN_SQRT_BACKWARD_H
#define ACLNNOP_ACLNN_SQRT_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SqrtBackward. */
ACLNN_API aclnnStatus aclnnSqrtBackwardGetWorkspaceSize(const aclTensor *y, const aclTensor *dy, aclTensor *z,
                                                        uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSqrtBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
