#ifndef ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_V2_H
#define ACLNNOP_ACLNN_KV_RMS_NORM_ROPE_CACHE_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares KvRmsNormRopeCacheV2. */
ACLNN_API aclnnStatus aclnnKvRmsNormRopeCacheV2GetWorkspaceSize(const aclTensor *kv, const aclTensor *gamma,
                                                                const aclTensor *cos, const aclTensor *sin,
                                                                const aclTensor *index, aclTensor *kCacheRef,
                                                                aclTensor *ckvCacheRef,
                                                                const aclTensor *kRopeScaleOptional,
                                                                const aclTensor *cKvScaleOptional,
                                                                const aclTensor *kRopeOffsetOptional,
                                                                const aclTensor *cKvOffsetOptional,
                                                                const aclTensor *vOptional, double epsilon,
                                                                char *cacheModeOptional, bool isOutputKv,
                                                                const aclTensor *kRopeOut, const aclTensor *cKvOut,
                                                                uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnKvRmsNormRopeCacheV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
