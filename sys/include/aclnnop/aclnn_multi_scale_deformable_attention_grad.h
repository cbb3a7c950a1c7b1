#ifndef ACLNNOP_ACLNN_MULTI_SCALE_DEFORMABLE_ATTENTION_GRAD_H
#define ACLNNOP_ACLNN_MULTI_SCALE_DEFORMABLE_ATTENTION_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MultiScaleDeformableAttentionGrad. */
ACLNN_API aclnnStatus aclnnMultiScaleDeformableAttentionGradGetWorkspaceSize(const aclTensor *value,
                                                                             const aclTensor *spatialShape,
                                                                             const aclTensor *levelStartIndex,
                                                                             const aclTensor *location,
                                                                             const aclTensor *attnWeight,
                                                                             const aclTensor *gradOutput,
                                                                             aclTensor *gradValue,
                                                                             aclTensor *gradLocation,
                                                                             aclTensor *gradAttnWeight,
                                                                             uint64_t *workspaceSize,
                                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMultiScaleDeformableAttentionGrad(void *workspace, uint64_t workspaceSize,
                                                             aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
