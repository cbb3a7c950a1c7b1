#ifndef ACLNNOP_ACLNN_MOE_INIT_ROUTING_V2_H
#define ACLNNOP_ACLNN_MOE_INIT_ROUTING_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeInitRoutingV2. */
ACLNN_API aclnnStatus aclnnMoeInitRoutingV2GetWorkspaceSize(const aclTensor *x, const aclTensor *expertIdx,
                                                            int64_t activeNumOptional, int64_t expertCapacityOptional,
                                                            int64_t expertNumOptional, int64_t dropPadModeOptional,
                                                            int64_t expertTokensCountOrCumsumFlagOptional,
                                                            bool expertTokensBeforeCapacityFlagOptional,
                                                            const aclTensor *expandedXOut,
                                                            const aclTensor *expandedRowIdxOut,
                                                            const aclTensor *expertTokensCountOrCumsumOutOptional,
                                                            const aclTensor *expertTokensBeforeCapacityOutOptional,
                                                            uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeInitRoutingV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
