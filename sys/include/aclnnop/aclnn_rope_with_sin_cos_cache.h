#ifndef ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_H
#define ACLNNOP_ACLNN_ROPE_WITH_SIN_COS_CACHE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RopeWithSinCosCache. */
ACLNN_API aclnnStatus aclnnRopeWithSinCosCacheGetWorkspaceSize(const aclTensor *positions, const aclTensor *queryIn,
                                                               const aclTensor *keyIn, const aclTensor *cosSinCache,
                                                               const aclIntArray *mropeSection, int64_t headSize,
                                                               bool isNeoxStyle, aclTensor *queryOut,
                                                               aclTensor *keyOut, uint64_t *workspaceSize,
                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRopeWithSinCosCache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
