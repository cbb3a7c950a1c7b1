#ifndef ACLNNOP_ACLNN_STEM_OAM_PREP_PAGED_KV_H
#define ACLNNOP_ACLNN_STEM_OAM_PREP_PAGED_KV_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares StemOamPrepPagedKv. */
ACLNN_API aclnnStatus aclnnStemOamPrepPagedKvGetWorkspaceSize(const aclTensor *kCache, const aclTensor *vCache,
                                                              const aclTensor *kvIndices, const aclIntArray *kvSeqLens,
                                                              const aclTensor *kScaleCacheOptional,
                                                              const aclTensor *vScaleOptional, double lambdaMag,
                                                              char *kvLayout, int64_t stemBlockSize,
                                                              int64_t stemStride, const aclTensor *kFlat,
                                                              const aclTensor *vBias, uint64_t *workspaceSize,
                                                              aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnStemOamPrepPagedKv(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
