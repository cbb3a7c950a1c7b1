#ifndef ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_GRAD_H
#define ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FusedFloydAttentionGrad. */
ACLNN_API aclnnStatus aclnnFusedFloydAttentionGradGetWorkspaceSize(const aclTensor *query, const aclTensor *key1,
                                                                   const aclTensor *value1, const aclTensor *key2,
                                                                   const aclTensor *value2, const aclTensor *dy,
                                                                   const aclTensor *attenMaskOptional,
                                                                   const aclTensor *softmaxMax,
                                                                   const aclTensor *softmaxSum,
                                                                   const aclTensor *attentionIn, double scaleValue,
                                                                   const aclTensor *dqOut, const aclTensor *dk1Out,
                                                                   const aclTensor *dv1Out, const aclTensor *dk2Out,
                                                                   const aclTensor *dv2Out, uint64_t *workspaceSize,
                                                                   aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedFloydAttentionGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
