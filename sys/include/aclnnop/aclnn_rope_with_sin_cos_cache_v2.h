#ifndef ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_V2_H
#define ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RopeWithSinCosCacheV2. */
ACLNN_API aclnnStatus aclnnRopeWithSinCosCacheV2GetWorkspaceSize(const aclTensor *positions, const aclTensor *queryIn,
                                                                 const aclTensor *keyIn, const aclTensor *cosSinCache,
                                                                 const aclIntArray *mropeSection, int64_t headSize,
                                                                 bool isNeoxStyle, int64_t cacheMode,
                                                                 aclTensor *queryOut, aclTensor *keyOut,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRopeWithSinCosCacheV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
