#ifndef ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_V2_H
#define ACLNNOP_ACLNN_MOE_TOKEN_PERMUTE_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeTokenPermuteV2. */
ACLNN_API aclnnStatus aclnnMoeTokenPermuteV2GetWorkspaceSize(const aclTensor *tokens, const aclTensor *indices,
                                                             int64_t numOutTokens, bool paddedMode, int64_t quantMode,
                                                             const aclTensor *permuteTokensOut,
                                                             const aclTensor *sortedIndicesOut,
                                                             const aclTensor *expandedScaleOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeTokenPermuteV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
