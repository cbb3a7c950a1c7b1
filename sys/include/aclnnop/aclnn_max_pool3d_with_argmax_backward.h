#ifndef ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_BACKWARD_H
#define ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares MaxPool3dWithArgmaxBackward: The gradient of `max_pool3d_with_argmax`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                                       const aclTensor *self, const aclTensor *indices,
                                                                       const aclIntArray *kernelSize,
                                                                       const aclIntArray *stride,
                                                                       const aclIntArray *padding,
                                                                       const aclIntArray *dilation, bool ceilMode,
                                                                       aclTensor *gradInput, uint64_t *workspaceSize,
                                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmaxBackward(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
