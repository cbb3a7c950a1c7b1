#ifndef ACLNNOP_ACLNN_AVGPOOL2D_H
#define ACLNNOP_ACLNN_AVGPOOL2D_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares AvgPool2d: The average of the elements under a window with rows and columns, for each of its positions.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnAvgPool2dGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
                                                     const aclIntArray *strides, const aclIntArray *paddings,
                                                     bool ceilMode, bool countIncludePad, int64_t divisorOverride,
                                                     int8_t cubeMathType, aclTensor *out, uint64_t *workspaceSize,
                                                     aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAvgPool2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
