#ifndef ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_GRAD_H
#define ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares RotaryPositionEmbeddingGrad: The gradients of a rotation by positions.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(const aclTensor *dy, const aclTensor *cos,
                                                                       const aclTensor *sin,
                                                                       const aclTensor *xOptional, int64_t mode,
                                                                       aclTensor *dxOut, aclTensor *dcosOut,
                                                                       aclTensor *dsinOut, uint64_t *workspaceSize,
                                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingGrad(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
