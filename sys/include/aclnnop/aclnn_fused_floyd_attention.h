#ifndef ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_H
#define ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FusedFloydAttention. */
ACLNN_API aclnnStatus aclnnFusedFloydAttentionGetWorkspaceSize(const aclTensor *query, const aclTensor *key1,
                                                               const aclTensor *value1, const aclTensor *key2,
                                                               const aclTensor *value2,
                                                               const aclTensor *attenMaskOptional,
                                                               double scaleValueOptional,
                                                               const aclTensor *softmaxMaxOut,
                                                               const aclTensor *softmaxSumOut,
                                                               const aclTensor *attentionOutOut,
                                                               uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedFloydAttention(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
