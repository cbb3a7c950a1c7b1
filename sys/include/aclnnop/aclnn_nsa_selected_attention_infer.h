#ifndef ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_INFER_H
#define ACLNNOP_ACLNN_NSA_SELECTED_ATTENTION_INFER_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares NsaSelectedAttentionInfer. */
ACLNN_API aclnnStatus aclnnNsaSelectedAttentionInferGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                     const aclTensor *value,
                                                                     const aclTensor *topkIndices,
                                                                     const aclTensor *attenMaskOptional,
                                                                     const aclTensor *blockTableOptional,
                                                                     const aclIntArray *actualQSeqLenOptional,
                                                                     const aclIntArray *actualKvSeqLenOptional,
                                                                     char *layoutOptional, int64_t numHeads,
                                                                     int64_t numKeyValueHeads, int64_t selectBlockSize,
                                                                     int64_t selectBlockCount, int64_t pageBlockSize,
                                                                     double scaleValue, int64_t sparseMode,
                                                                     aclTensor *output, uint64_t *workspaceSize,
                                                                     aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnNsaSelectedAttentionInfer(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
