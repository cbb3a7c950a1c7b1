#ifndef ACLNNOP_ACLNN_FOREACH_NON_FINITE_CHECK_AND_UNSCALE_H
#define ACLNNOP_ACLNN_FOREACH_NON_FINITE_CHECK_AND_UNSCALE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ForeachNonFiniteCheckAndUnscale: Each element times `invScale`, and whether one of them was infinite or NaN.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(const aclTensorList *scaledGrads,
                                                                           const aclTensor *foundInf,
                                                                           const aclTensor *invScale,
                                                                           uint64_t *workspaceSize,
                                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnForeachNonFiniteCheckAndUnscale(void *workspace, uint64_t workspaceSize,
                                                           aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
