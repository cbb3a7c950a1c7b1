#ifndef ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H
#define ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares SmoothL1LossBackward: The gradient of the smooth absolute difference.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnSmoothL1LossBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *self,
                                                                const aclTensor *target, int64_t reduction, float beta,
                                                                aclTensor *gradInput, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSmoothL1LossBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
