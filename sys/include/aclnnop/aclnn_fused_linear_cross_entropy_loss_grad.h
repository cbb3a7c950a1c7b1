#ifndef ACLNNOP_ACLNN_FUSED_LINEAR_CROSS_ENTROPY_LOSS_GRAD_H
#define ACLNNOP_ACLNN_FUSED_LINEAR_CROSS_ENTROPY_LOSS_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FusedLinearCrossEntropyLossGrad. */
ACLNN_API aclnnStatus aclnnFusedLinearCrossEntropyLossGradGetWorkspaceSize(const aclTensor *grad,
                                                                           const aclTensor *input,
                                                                           const aclTensor *weight,
                                                                           const aclTensor *targetMask,
                                                                           const aclTensor *maskedTarget,
                                                                           float labelSmoothing,
                                                                           const aclTensor *logitsMaxOptional,
                                                                           const aclTensor *sumExpLogitsOptional,
                                                                           const aclTensor *softmaxOptional,
                                                                           aclTensor *inputGradOut,
                                                                           aclTensor *weightGradOut,
                                                                           uint64_t *workspaceSize,
                                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedLinearCrossEntropyLossGrad(void *workspace, uint64_t workspaceSize,
                                                           aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
