#ifndef ACLNNOP_ACLNN_BATCH_NORM_H
#define ACLNNOP_ACLNN_BATCH_NORM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares BatchNorm: Each channel normalised by the mean and the variance of a batch, or by running ones.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnBatchNormGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                                     const aclTensor *bias, aclTensor *runningMean,
                                                     aclTensor *runningVar, bool training, double momentum, double eps,
                                                     aclTensor *output, aclTensor *saveMean, aclTensor *saveInvstd,
                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnBatchNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
