#ifndef ACLNNOP_ACLNN_UPSAMPLE_BILINEAR2D_AA_BACKWARD_H
#define ACLNNOP_ACLNN_UPSAMPLE_BILINEAR2D_AA_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares UpsampleBilinear2dAABackward: The gradient of `upsample_bilinear2d_aa`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnUpsampleBilinear2dAABackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                                        const aclIntArray *outputSize,
                                                                        const aclIntArray *inputSize,
                                                                        bool alignCorners, double scalesH,
                                                                        double scalesW, aclTensor *out,
                                                                        uint64_t *workspaceSize,
                                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnUpsampleBilinear2dAABackward(void *workspace, uint64_t workspaceSize,
                                                        aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
