#ifndef ACLNNOP_ACLNN_FOREACH_DIV_SCALAR_V2_H
#define ACLNNOP_ACLNN_FOREACH_DIV_SCALAR_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ForeachDivScalarV2: Each element divided by a number, the same for all tensors or one for each.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnForeachDivScalarV2GetWorkspaceSize(const aclTensorList *x, const aclScalar *scalar,
                                                              aclTensorList *out, uint64_t *workspaceSize,
                                                              aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnForeachDivScalarV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
