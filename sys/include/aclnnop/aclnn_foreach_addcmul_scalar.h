#ifndef ACLNNOP_ACLNN_FOREACH_ADDCMUL_SCALAR_H
#define ACLNNOP_ACLNN_FOREACH_ADDCMUL_SCALAR_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ForeachAddcmulScalar: `x1 + scalar · x2 · x3`, with one number for all tensors or one for each.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnForeachAddcmulScalarGetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
                                                                const aclTensorList *x3, const aclTensor *scalar,
                                                                aclTensorList *out, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnForeachAddcmulScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
