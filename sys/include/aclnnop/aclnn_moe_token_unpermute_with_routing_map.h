#ifndef ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H
#define ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeTokenUnpermuteWithRoutingMap. */
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMapGetWorkspaceSize(const aclTensor *permutedTokens,
                                                                           const aclTensor *sortedIndices,
                                                                           const aclTensor *routingMapOptional,
                                                                           const aclTensor *probsOptional,
                                                                           bool paddedMode,
                                                                           const aclIntArray *restoreShapeOptional,
                                                                           aclTensor *unpermutedTokens,
                                                                           aclTensor *outIndex,
                                                                           aclTensor *permuteTokenId,
                                                                           aclTensor *permuteProbs,
                                                                           uint64_t *workspaceSize,
                                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMap(void *workspace, uint64_t workspaceSize,
                                                           aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
