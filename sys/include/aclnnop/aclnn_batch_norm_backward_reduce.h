#ifndef ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H
#define ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares BatchNormReduceBackward: Sums over a part of a batch for the gradients of batch_norm, as PyTorch's function of this name has them.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnBatchNormReduceBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
                                                                   const aclTensor *mean, const aclTensor *invstd,
                                                                   const aclTensor *weight, bool inputG, bool weightG,
                                                                   bool biasG, aclTensor *sumDy, aclTensor *sumDyXmu,
                                                                   aclTensor *gradWeight, aclTensor *gradBias,
                                                                   uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnBatchNormReduceBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
