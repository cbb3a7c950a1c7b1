#ifndef ACLNNOP_ACLNN_FOREACH_COSH_H
#define ACLNNOP_ACLNN_FOREACH_COSH_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ForeachCosh: The hyperbolic cosine of each element.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnForeachCoshGetWorkspaceSize(const aclTensorList *x, aclTensorList *out,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnForeachCosh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
