#ifndef ACLNNOP_ACLNN_GROUP_NORM_SILU_H
#define ACLNNOP_ACLNN_GROUP_NORM_SILU_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares GroupNormSilu: The function silu of group_norm.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnGroupNormSiluGetWorkspaceSize(const aclTensor *self, const aclTensor *gamma,
                                                         const aclTensor *beta, int64_t group, double eps,
                                                         aclTensor *out, aclTensor *meanOut, aclTensor *rstdOut,
                                                         uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupNormSilu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

/**
 * Prepares GroupNormSiluV2: The function silu of group_norm.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnGroupNormSiluV2GetWorkspaceSize(const aclTensor *self, const aclTensor *gamma,
                                                           const aclTensor *beta, int64_t group, double eps,
                                                           bool activateSilu, aclTensor *out, aclTensor *meanOut,
                                                           aclTensor *rstdOut, uint64_t *workspaceSize,
                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupNormSiluV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
