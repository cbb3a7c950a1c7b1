#ifndef ACLNNOP_ACLNN_ANGLE_V2_H
#define ACLNNOP_ACLNN_ANGLE_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares AngleV2: The angle in the complex plane, in radians: of real numbers zero, and π below zero. CANN describes neither parameters nor types: the parameters are those of functions that are generated as this one is, and the meaning is PyTorch's.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnAngleV2GetWorkspaceSize(const aclTensor *x, const aclTensor *out, uint64_t *workspaceSize,
                                                   aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAngleV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
