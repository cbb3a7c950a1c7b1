#ifndef ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H
#define ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares MaxPool2dWithIndicesBackward: The gradient of `max_pool2d_with_indices`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                                        const aclTensor *self,
                                                                        const aclTensor *indices,
                                                                        const aclIntArray *kernelSize,
                                                                        const aclIntArray *stride,
                                                                        const aclIntArray *padding,
                                                                        const aclIntArray *dilation, bool ceilMode,
                                                                        aclTensor *gradInput, uint64_t *workspaceSize,
                                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMaxPool2dWithIndicesBackward(void *workspace, uint64_t workspaceSize,
                                                        aclOpExecutor *executor, aclrtStream stream);

/**
 * Prepares MaxPool2dWithMaskBackward: The gradient of `max_pool2d_with_mask`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                                     const aclTensor *self, const aclTensor *indices,
                                                                     const aclIntArray *kernelSize,
                                                                     const aclIntArray *stride,
                                                                     const aclIntArray *padding,
                                                                     const aclIntArray *dilation, bool ceilMode,
                                                                     aclTensor *gradInput, uint64_t *workspaceSize,
                                                                     aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
