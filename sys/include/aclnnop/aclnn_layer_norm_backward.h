#ifndef ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H
#define ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares LayerNormBackward: The gradients of layer_norm.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnLayerNormBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
                                                             const aclIntArray *normalizedShape, const aclTensor *mean,
                                                             const aclTensor *rstd, const aclTensor *weightOptional,
                                                             const aclTensor *biasOptional,
                                                             const aclBoolArray *outputMask, aclTensor *gradInputOut,
                                                             aclTensor *gradWeightOut, aclTensor *gradBiasOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnLayerNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
