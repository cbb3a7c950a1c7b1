#ifndef ACLNNOP_ACLNN_RAIN_FUSION_ATTENTION_H
#define ACLNNOP_ACLNN_RAIN_FUSION_ATTENTION_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RainFusionAttention. */
ACLNN_API aclnnStatus aclnnRainFusionAttentionGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                               const aclTensor *value, const aclTensor *selectIdx,
                                                               const aclTensor *selectNumIdx,
                                                               const aclIntArray *blockShape,
                                                               const aclTensor *attenMaskOptional,
                                                               const aclIntArray *actualSeqLengthsOptional,
                                                               const aclIntArray *actualSeqLengthsKvOptional,
                                                               const aclTensor *blockTableOptional, char *qInputLayout,
                                                               char *kvInputLayout, int64_t numKeyValueHeads,
                                                               int64_t maskType, double scaleValue,
                                                               int64_t innerPrecise, int64_t blockSize,
                                                               const aclTensor *attentionOut,
                                                               const aclTensor *softmaxLseOptional,
                                                               uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRainFusionAttention(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
