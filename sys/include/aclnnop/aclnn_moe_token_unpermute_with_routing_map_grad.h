#ifndef ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H
#define ACLNNOP_ACLNN_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeTokenUnpermuteWithRoutingMapGrad. */
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(const aclTensor *unpermutedTokensGrad,
                                                                               const aclTensor *outIndex,
                                                                               const aclTensor *permuteTokenId,
                                                                               const aclTensor *routingMapOptional,
                                                                               const aclTensor *permutedTokensOptional,
                                                                               const aclTensor *probsOptional,
                                                                               bool dropAndPad,
                                                                               const aclIntArray *restoreShapeOptional,
                                                                               const aclTensor *permutedTokensGradOut,
                                                                               const aclTensor *probsGradOutOptional,
                                                                               uint64_t *workspaceSize,
                                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMapGrad(void *workspace, uint64_t workspaceSize,
                                                               aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
