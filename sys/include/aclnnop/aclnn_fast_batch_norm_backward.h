#ifndef ACLNNOP_ACLNN_FAST_BATCH_NORM_BACKWARD_H
#define ACLNNOP_ACLNN_FAST_BATCH_NORM_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares FastBatchNormBackward: The gradients of batch_norm.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFastBatchNormBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
                                                                 const aclTensor *weight, const aclTensor *runningMean,
                                                                 const aclTensor *runningVar,
                                                                 const aclTensor *saveMean,
                                                                 const aclTensor *saveInvstd, bool training,
                                                                 double eps, const aclBoolArray *outputMask,
                                                                 int version, aclTensor *gradInput,
                                                                 aclTensor *gradWeight, aclTensor *gradBias,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFastBatchNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
