#ifndef ACLNNOP_ACLNN_NSA_COMPRESS_H
#define ACLNNOP_ACLNN_NSA_COMPRESS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares NsaCompress. */
ACLNN_API aclnnStatus aclnnNsaCompressGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                                       const aclIntArray *actSeqLenOptional, char *layoutOptional,
                                                       int64_t compressBlockSize, int64_t compressStride,
                                                       int64_t actSeqLenType, aclTensor *output,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnNsaCompress(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
