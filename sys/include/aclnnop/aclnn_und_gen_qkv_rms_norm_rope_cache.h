#ifndef ACLNNOP_ACLNN_UND_GEN_QKV_RMS_NORM_ROPE_CACHE_H
#define ACLNNOP_ACLNN_UND_GEN_QKV_RMS_NORM_ROPE_CACHE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares UndGenQkvRmsNormRopeCache. */
ACLNN_API aclnnStatus aclnnUndGenQkvRmsNormRopeCacheGetWorkspaceSize(const aclTensor *undQkv,
                                                                     const aclTensor *undWeightsQ,
                                                                     const aclTensor *undWeightsK,
                                                                     const aclTensor *cosSinCache,
                                                                     aclTensor *kCacheRef, aclTensor *vCacheRef,
                                                                     const aclTensor *slotMapping,
                                                                     const aclTensor *positions,
                                                                     const aclTensor *genQkvOptional,
                                                                     const aclTensor *genWeightsQOptional,
                                                                     const aclTensor *genWeightsKOptional,
                                                                     const aclTensor *catIndicesOptional,
                                                                     int64_t numHeadsQ, int64_t numHeadsK,
                                                                     int64_t numHeadsV, double normEps,
                                                                     const aclIntArray *mropeSection, aclTensor *qOut,
                                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnUndGenQkvRmsNormRopeCache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
