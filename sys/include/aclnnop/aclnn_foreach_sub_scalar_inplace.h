#ifndef ACLNNOP_ACLNN_FOREACH_SUB_SCALAR_INPLACE_H
#define ACLNNOP_ACLNN_FOREACH_SUB_SCALAR_INPLACE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ForeachSubScalarInplace: Each element without a number, the same for all tensors or one for each.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnForeachSubScalarInplaceGetWorkspaceSize(const aclTensorList *x, const aclTensor *scalar,
                                                                   uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnForeachSubScalarInplace(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
