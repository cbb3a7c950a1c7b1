#ifndef ACLNNOP_ACLNN_SCATTER_PA_CACHE_H
#define ACLNNOP_ACLNN_SCATTER_PA_CACHE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ScatterPaCache. */
ACLNN_API aclnnStatus aclnnScatterPaCacheGetWorkspaceSize(const aclTensor *key, aclTensor *keyCacheRef,
                                                          const aclTensor *slotMapping,
                                                          const aclTensor *compressLensOptional,
                                                          const aclTensor *compressSeqOffsetOptional,
                                                          const aclTensor *seqLensOptional, char *cacheMode,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnScatterPaCache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
