#ifndef ACLNNOP_ACLNN_AFFINE_GRID_H
#define ACLNNOP_ACLNN_AFFINE_GRID_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares AffineGrid: The grid that sends the places of images through affine maps.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnAffineGridGetWorkspaceSize(const aclTensor *theta, const aclIntArray *size,
                                                      bool alignCorners, aclTensor *out, uint64_t *workspaceSize,
                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAffineGrid(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
