#ifndef ACLNNOP_ACLNN_AVGPOOL3D_BACKWARD_H
#define ACLNNOP_ACLNN_AVGPOOL3D_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares AvgPool3dBackward: The gradient of `avg_pool3d`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnAvgPool3dBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                                             const aclIntArray *kernelSize, const aclIntArray *stride,
                                                             const aclIntArray *padding, bool ceilMode,
                                                             bool countIncludePad, int64_t divisorOverride,
                                                             aclTensor *output, uint64_t *workspaceSize,
                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAvgPool3dBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
