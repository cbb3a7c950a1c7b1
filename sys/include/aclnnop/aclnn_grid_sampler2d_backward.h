#ifndef ACLNNOP_ACLNN_GRID_SAMPLER2D_BACKWARD_H
#define ACLNNOP_ACLNN_GRID_SAMPLER2D_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares GridSampler2DBackward: The gradients of `grid_sampler2d`: for the images and for the grid.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnGridSampler2DBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *input,
                                                                 const aclTensor *grid, int64_t interpolationMode,
                                                                 int64_t paddingMode, bool alignCorners,
                                                                 const aclBoolArray *outputMask, aclTensor *inputGrad,
                                                                 aclTensor *gridGrad, uint64_t *workspaceSize,
                                                                 aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGridSampler2DBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
