#ifndef ACLNNOP_ACLNN_FUSED_CAUSAL_CONV1D_H
#define ACLNNOP_ACLNN_FUSED_CAUSAL_CONV1D_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FusedCausalConv1d. */
ACLNN_API aclnnStatus aclnnFusedCausalConv1dGetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                             aclTensor *convStates, const aclTensor *queryStartLoc,
                                                             const aclTensor *cacheIndices,
                                                             const aclTensor *initialStateMode, const aclTensor *bias,
                                                             const aclTensor *numAcceptedTokens,
                                                             const aclTensor *numComputedTokens,
                                                             const aclTensor *blockIdxFirstScheduledToken,
                                                             const aclTensor *blockIdxLastScheduledToken,
                                                             const aclTensor *initialStateIdx, int64_t activationMode,
                                                             int64_t padSlotId, int64_t runMode, int64_t maxQueryLen,
                                                             int64_t residualConnection, int64_t blockSize,
                                                             int64_t convMode, aclTensor *y, uint64_t *workspaceSize,
                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedCausalConv1d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
