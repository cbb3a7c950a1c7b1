#ifndef ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H
#define ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares GroupNormBackward: The gradients of group_norm.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnGroupNormBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
                                                             const aclTensor *mean, const aclTensor *rstd,
                                                             const aclTensor *gamma, int64_t N, int64_t C, int64_t HxW,
                                                             int64_t group, const aclBoolArray *outputMask,
                                                             aclTensor *gradInput, aclTensor *gradGammaOut,
                                                             aclTensor *gradBetaOut, uint64_t *workspaceSize,
                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
