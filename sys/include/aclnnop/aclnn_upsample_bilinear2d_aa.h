#ifndef ACLNNOP_ACLNN_UPSAMPLE_BILINEAR2D_AA_H
#define ACLNNOP_ACLNN_UPSAMPLE_BILINEAR2D_AA_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares UpsampleBilinear2dAA: Weighted sums of the elements under a window of two elements of the smaller image along rows and columns.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnUpsampleBilinear2dAAGetWorkspaceSize(const aclTensor *input, const aclIntArray *outputSize,
                                                                bool alignCorners, double scalesH, double scalesW,
                                                                aclTensor *out, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnUpsampleBilinear2dAA(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
