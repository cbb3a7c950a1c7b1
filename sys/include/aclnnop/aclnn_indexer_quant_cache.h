#ifndef ACLNNOP_ACLNN_INDEXER_QUANT_CACHE_H
#define ACLNNOP_ACLNN_INDEXER_QUANT_CACHE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares IndexerQuantCache. */
ACLNN_API aclnnStatus aclnnIndexerQuantCacheGetWorkspaceSize(aclTensor *cacheRef, aclTensor *cacheScaleRef,
                                                             const aclTensor *x, const aclTensor *slotMapping,
                                                             int64_t quantMode, bool roundScale, float xScale,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnIndexerQuantCache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
