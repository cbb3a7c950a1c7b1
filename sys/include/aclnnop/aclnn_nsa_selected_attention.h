#ifndef ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_H
#define ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares NsaSelectedAttention. */
ACLNN_API aclnnStatus aclnnNsaSelectedAttentionGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                const aclTensor *value, const aclTensor *topkIndices,
                                                                const aclTensor *attenMaskOptional,
                                                                const aclIntArray *actualSeqQLenOptional,
                                                                const aclIntArray *actualSeqKvLenOptional,
                                                                double scaleValue, int64_t headNum, char *inputLayout,
                                                                int64_t sparseMode, int64_t selectedBlockSize,
                                                                int64_t selectedBlockCount,
                                                                const aclTensor *softmaxMaxOut,
                                                                const aclTensor *softmaxSumOut,
                                                                const aclTensor *attentionOut, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnNsaSelectedAttention(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
