#ifndef ACLNNOP_ACLNN_MOE_GATING_TOP_K_V2_H
#define ACLNNOP_ACLNN_MOE_GATING_TOP_K_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeGatingTopKV2. */
ACLNN_API aclnnStatus aclnnMoeGatingTopKV2GetWorkspaceSize(const aclTensor *x, const aclTensor *biasOptional,
                                                           const aclTensor *inputIdsOptional,
                                                           const aclTensor *tid2eidOptional, int64_t k, int64_t kGroup,
                                                           int64_t groupCount, int64_t groupSelectMode, int64_t renorm,
                                                           int64_t normType, bool outFlag, double routedScalingFactor,
                                                           double eps, const aclTensor *yOut,
                                                           const aclTensor *expertIdxOut, const aclTensor *outOut,
                                                           uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeGatingTopKV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
