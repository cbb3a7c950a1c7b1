#ifndef ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_V2_H
#define ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares RotaryPositionEmbeddingV2: Pairs of elements along the last axis, turned by angles that their positions decide.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingV2GetWorkspaceSize(const aclTensor *x, const aclTensor *cos,
                                                                     const aclTensor *sin, int64_t mode,
                                                                     const aclTensor *rotate, aclTensor *out,
                                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
