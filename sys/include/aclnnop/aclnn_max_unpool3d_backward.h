#ifndef ACLNNOP_ACLNN_MAX_UNPOOL3D_BACKWARD_H
#define ACLNNOP_ACLNN_MAX_UNPOOL3D_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares MaxUnpool3dBackward: The gradient of `max_unpool3d`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnMaxUnpool3dBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                                               const aclTensor *indices, const aclIntArray *outputSize,
                                                               const aclIntArray *stride, const aclIntArray *padding,
                                                               aclTensor *out, uint64_t *workspaceSize,
                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMaxUnpool3dBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
