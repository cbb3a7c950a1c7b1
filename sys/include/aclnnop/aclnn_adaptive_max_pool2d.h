#ifndef ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL2D_H
#define ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL2D_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares AdaptiveMaxPool2d: The greatest elements of as many parts of rows and columns as the result has, and their numbers in the plane.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool2dGetWorkspaceSize(const aclTensor *self, const aclIntArray *outputSize,
                                                             aclTensor *outputOut, aclTensor *indicesOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
