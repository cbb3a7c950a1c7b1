#ifndef ACLNNOP_ACLNN_GATHER_PA_KV_CACHE_H
#define ACLNNOP_ACLNN_GATHER_PA_KV_CACHE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GatherPaKvCache. */
ACLNN_API aclnnStatus aclnnGatherPaKvCacheGetWorkspaceSize(const aclTensor *keyCache, const aclTensor *valueCache,
                                                           const aclTensor *blockTables, const aclTensor *seqLens,
                                                           aclTensor *keyRef, aclTensor *valueRef,
                                                           const aclTensor *seqOffsetOptional, char *cacheMode,
                                                           bool isSeqLensCumsum, uint64_t *workspaceSize,
                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGatherPaKvCache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
