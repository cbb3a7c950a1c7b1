#ifndef ACLNNOP_ACLNN_MOE_GATING_TOP_K_BACKWARD_H
#define ACLNNOP_ACLNN_MOE_GATING_TOP_K_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeGatingTopKBackward. */
ACLNN_API aclnnStatus aclnnMoeGatingTopKBackwardGetWorkspaceSize(const aclTensor *xNorm, const aclTensor *gradY,
                                                                 const aclTensor *expertIdx, int64_t renorm,
                                                                 int64_t normType, double routedScalingFactor,
                                                                 double eps, const aclTensor *out,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeGatingTopKBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
