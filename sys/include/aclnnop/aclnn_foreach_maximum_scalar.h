#ifndef ACLNNOP_ACLNN_FOREACH_MAXIMUM_SCALAR_H
#define ACLNNOP_ACLNN_FOREACH_MAXIMUM_SCALAR_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ForeachMaximumScalar: Each element or a number, the same for all tensors or one for each, whichever is greater.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnForeachMaximumScalarGetWorkspaceSize(const aclTensorList *x, const aclTensor *scalar,
                                                                aclTensorList *out, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnForeachMaximumScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
