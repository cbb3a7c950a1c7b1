#ifndef ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_H
#define ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeTokenPermute. */
ACLNN_API aclnnStatus aclnnMoeTokenPermuteGetWorkspaceSize(const aclTensor *tokens, const aclTensor *indices,
                                                           int64_t numOutTokens, bool paddedMode,
                                                           const aclTensor *permuteTokensOut,
                                                           const aclTensor *sortedIndicesOut, uint64_t *workspaceSize,
                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeTokenPermute(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
