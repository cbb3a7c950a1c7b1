#ifndef ACLNNOP_ACLNN_FOREACH_POW_LIST_H
#define ACLNNOP_ACLNN_FOREACH_POW_LIST_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ForeachPowList: `x1` to the power of `x2`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnForeachPowListGetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
                                                          aclTensorList *out, uint64_t *workspaceSize,
                                                          aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnForeachPowList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
