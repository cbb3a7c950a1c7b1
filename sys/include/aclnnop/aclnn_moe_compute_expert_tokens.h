#ifndef ACLNNOP_ACLNN_MOE_COMPUTE_EXPERT_TOKENS_H
#define ACLNNOP_ACLNN_MOE_COMPUTE_EXPERT_TOKENS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeComputeExpertTokens. */
ACLNN_API aclnnStatus aclnnMoeComputeExpertTokensGetWorkspaceSize(const aclTensor *sortedExperts, int64_t numExperts,
                                                                  const aclTensor *out, uint64_t *workspaceSize,
                                                                  aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeComputeExpertTokens(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
