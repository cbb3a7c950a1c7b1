#ifndef ACLNNOP_ACLNN_MOE_UPDATE_EXPERT_H
#define ACLNNOP_ACLNN_MOE_UPDATE_EXPERT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeUpdateExpert. */
ACLNN_API aclnnStatus aclnnMoeUpdateExpertGetWorkspaceSize(const aclTensor *expertIds, const aclTensor *eplbTable,
                                                           const aclTensor *expertScalesOptional,
                                                           const aclTensor *pruningThresholdOptional,
                                                           const aclTensor *activeMaskOptional, int64_t localRankId,
                                                           int64_t worldSize, int64_t balanceMode,
                                                           aclTensor *balancedExpertIds, aclTensor *balancedActiveMask,
                                                           uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeUpdateExpert(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
