#ifndef ACLNNOP_ACLNN_MOE_INIT_ROUTING_V3_H
#define ACLNNOP_ACLNN_MOE_INIT_ROUTING_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeInitRoutingV3. */
ACLNN_API aclnnStatus aclnnMoeInitRoutingV3GetWorkspaceSize(const aclTensor *x, const aclTensor *expertIdx,
                                                            const aclTensor *scaleOptional,
                                                            const aclTensor *offsetOptional, int64_t activeNum,
                                                            int64_t expertCapacity, int64_t expertNum,
                                                            int64_t dropPadMode, int64_t expertTokensNumType,
                                                            bool expertTokensNumFlag, int64_t quantMode,
                                                            const aclIntArray *activeExpertRangeOptional,
                                                            int64_t rowIdxType, const aclTensor *expandedXOut,
                                                            const aclTensor *expandedRowIdxOut,
                                                            const aclTensor *expertTokensCountOrCumsumOut,
                                                            const aclTensor *expandedScaleOut, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeInitRoutingV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
