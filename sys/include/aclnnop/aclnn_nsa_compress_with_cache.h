#ifndef ACLNNOP_ACLNN_NSA_COMPRESS_WITH_CACHE_H
#define ACLNNOP_ACLNN_NSA_COMPRESS_WITH_CACHE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares NsaCompressWithCache. */
ACLNN_API aclnnStatus aclnnNsaCompressWithCacheGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                                                const aclTensor *slotMapping,
                                                                const aclIntArray *actSeqLenOptional,
                                                                const aclTensor *blockTableOptional,
                                                                char *layoutOptional, int64_t compressBlockSize,
                                                                int64_t compressStride, int64_t actSeqLenType,
                                                                int64_t pageBlockSize, aclTensor *outputCache,
                                                                uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnNsaCompressWithCache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
