#ifndef ACLNNOP_ACLNN_BATCH_NORM_ELEMT_BACKWARD_H
#define ACLNNOP_ACLNN_BATCH_NORM_ELEMT_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares BatchNormElemtBackward: The gradient of batch_norm of a part of a batch by such sums, as PyTorch's function of this name has it.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnBatchNormElemtBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
                                                                  const aclTensor *mean, const aclTensor *invstd,
                                                                  const aclTensor *weight, const aclTensor *sumDy,
                                                                  const aclTensor *sumDyXmu, aclTensor *counter,
                                                                  aclTensor *gradInput, uint64_t *workspaceSize,
                                                                  aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnBatchNormElemtBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
