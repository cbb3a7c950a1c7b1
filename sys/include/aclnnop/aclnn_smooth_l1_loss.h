#ifndef ACLNNOP_ACLNN_SMOOTH_L1_LOSS_H
#define ACLNNOP_ACLNN_SMOOTH_L1_LOSS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares SmoothL1Loss: The absolute difference, and near zero the squared one: `d² / 2 beta` below `beta`, and else `|d| − beta / 2`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnSmoothL1LossGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
                                                        int64_t reduction, float beta, aclTensor *result,
                                                        uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSmoothL1Loss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
