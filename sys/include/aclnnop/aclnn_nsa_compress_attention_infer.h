#ifndef ACLNNOP_ACLNN_NSA_COMPRESS_ATTENTION_INFER_H
#define ACLNNOP_ACLNN_NSA_COMPRESS_ATTENTION_INFER_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares NsaCompressAttentionInfer. */
ACLNN_API aclnnStatus aclnnNsaCompressAttentionInferGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                     const aclTensor *value,
                                                                     const aclTensor *attentionMaskOptional,
                                                                     const aclTensor *blockTableOptional,
                                                                     const aclIntArray *actualQSeqLenOptional,
                                                                     const aclIntArray *actualCmpKvSeqLenOptional,
                                                                     const aclIntArray *actualSelKvSeqLenOptional,
                                                                     const aclTensor *topKMaskOptional,
                                                                     int64_t numHeads, int64_t numKeyValueHeads,
                                                                     int64_t selectBlockSize, int64_t selectBlockCount,
                                                                     int64_t compressBlockSize,
                                                                     int64_t compressBlockStride, double scaleValue,
                                                                     char *layoutOptional, int64_t pageBlockSize,
                                                                     int64_t sparseMode, const aclTensor *output,
                                                                     const aclTensor *topKOutput,
                                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnNsaCompressAttentionInfer(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
