#ifndef ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_WITH_K_SCALE_H
#define ACLNNOP_ACLNN_QKV_RMS_NORM_ROPE_CACHE_WITH_K_SCALE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QkvRmsNormRopeCacheWithKScale. */
ACLNN_API aclnnStatus aclnnQkvRmsNormRopeCacheWithKScaleGetWorkspaceSize(const aclTensor *qkv, const aclTensor *qGamma,
                                                                         const aclTensor *kGamma,
                                                                         const aclTensor *cosSin,
                                                                         const aclTensor *slotMapping,
                                                                         aclTensor *kCacheRef, aclTensor *vCacheRef,
                                                                         aclTensor *kScaleCacheRef,
                                                                         const aclTensor *queryStartLocOptional,
                                                                         const aclTensor *seqLensOptional,
                                                                         const aclTensor *rotationOptional,
                                                                         const aclTensor *vScaleOptional,
                                                                         const aclTensor *mropePositionOptional,
                                                                         const aclIntArray *headNums,
                                                                         const char *layoutQkv, const char *layoutQOut,
                                                                         float epsilon,
                                                                         const aclIntArray *mropeSectionOptional,
                                                                         const char *qQuantMode, aclTensor *qOut,
                                                                         aclTensor *qScaleOptional,
                                                                         uint64_t *workspaceSize,
                                                                         aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQkvRmsNormRopeCacheWithKScale(void *workspace, uint64_t workspaceSize,
                                                         aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
