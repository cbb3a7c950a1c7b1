#ifndef ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_H
#define ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares MaxPool3dWithArgmax: The greatest element under a window with planes, rows and columns, and its number in the volume.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmaxGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
                                                               const aclIntArray *stride, const aclIntArray *padding,
                                                               const aclIntArray *dilation, bool ceilMode,
                                                               aclTensor *out, aclTensor *indices,
                                                               uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
