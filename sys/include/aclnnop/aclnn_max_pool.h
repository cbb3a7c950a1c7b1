#ifndef ACLNNOP_ACLNN_MAX_POOL_H
#define ACLNNOP_ACLNN_MAX_POOL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares MaxPool: The greatest element under a window, for each of its positions; without strides it moves by 1.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnMaxPoolGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelShape,
                                                   const aclIntArray *strides, int64_t autoPad,
                                                   const aclIntArray *pads, const aclIntArray *dilations,
                                                   int64_t ceilMode, aclTensor *out, uint64_t *workspaceSize,
                                                   aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMaxPool(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
