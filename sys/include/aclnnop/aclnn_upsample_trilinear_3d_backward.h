#ifndef ACLNNOP_ACLNN_UPSAMPLE_TRILINEAR_3D_BACKWARD_H
#define ACLNNOP_ACLNN_UPSAMPLE_TRILINEAR_3D_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares UpsampleTrilinear3dBackward: The gradient of `upsample_trilinear3d`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnUpsampleTrilinear3dBackwardGetWorkspaceSize(const aclTensor *gradOut,
                                                                       const aclIntArray *outputSize,
                                                                       const aclIntArray *inputSize, bool alignCorners,
                                                                       double scalesD, double scalesH, double scalesW,
                                                                       aclTensor *gradInput, uint64_t *workspaceSize,
                                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnUpsampleTrilinear3dBackward(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
