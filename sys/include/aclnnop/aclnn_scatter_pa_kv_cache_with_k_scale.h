#ifndef ACLNNOP_ACLNN_SCATTER_PA_KV_CACHE_WITH_K_SCALE_H
#define ACLNNOP_ACLNN_SCATTER_PA_KV_CACHE_WITH_K_SCALE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ScatterPaKvCacheWithKScale. */
ACLNN_API aclnnStatus aclnnScatterPaKvCacheWithKScaleGetWorkspaceSize(const aclTensor *key, const aclTensor *value,
                                                                      aclTensor *keyCacheRef, aclTensor *valueCacheRef,
                                                                      const aclTensor *slotMapping,
                                                                      aclTensor *keyScale, aclTensor *keyScaleCacheRef,
                                                                      char *cacheLayoutOptional,
                                                                      uint64_t *workspaceSize,
                                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnScatterPaKvCacheWithKScale(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
