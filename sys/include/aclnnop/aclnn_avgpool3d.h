#ifndef ACLNNOP_ACLNN_AVGPOOL3D_H
#define ACLNNOP_ACLNN_AVGPOOL3D_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares AvgPool3d: The average of the elements under a window with planes, rows and columns, for each of its positions.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnAvgPool3dGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
                                                     const aclIntArray *stride, const aclIntArray *padding,
                                                     bool ceilMode, bool countIncludePad, int64_t divisorOverride,
                                                     aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAvgPool3d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
