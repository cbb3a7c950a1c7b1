#ifndef ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H
#define ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QkvRmsNormRopeCache. */
ACLNN_API aclnnStatus aclnnQkvRmsNormRopeCacheGetWorkspaceSize(const aclTensor *qkv, const aclTensor *qGamma,
                                                               const aclTensor *kGamma, const aclTensor *cos,
                                                               const aclTensor *sin, const aclTensor *index,
                                                               aclTensor *qOut, aclTensor *kCache, aclTensor *vCache,
                                                               const aclTensor *kScaleOptional,
                                                               const aclTensor *vScaleOptional,
                                                               const aclTensor *kOffsetOptional,
                                                               const aclTensor *vOffsetOptional,
                                                               const aclIntArray *qkvSize, const aclIntArray *headNums,
                                                               double epsilon, char *cacheModeOptional,
                                                               const aclTensor *qOutBeforeQuant,
                                                               const aclTensor *kOutBeforeQuant,
                                                               const aclTensor *vOutBeforeQuant,
                                                               uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQkvRmsNormRopeCache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
