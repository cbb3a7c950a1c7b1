#ifndef ACLNNOP_ACLNN_MOE_INIT_ROUTING_V4_H
#define ACLNNOP_ACLNN_MOE_INIT_ROUTING_V4_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeInitRoutingV4. */
ACLNN_API aclnnStatus aclnnMoeInitRoutingV4GetWorkspaceSize(const aclTensor *x, const aclTensor *expertIdx,
                                                            const aclTensor *scaleOptional,
                                                            const aclTensor *offsetOptional,
                                                            const aclTensor *activeNumOptional,
                                                            const aclTensor *topkWeightOptional,
                                                            int64_t expertCapacity, int64_t expertNum,
                                                            int64_t dropPadMode, int64_t expertTokensNumType,
                                                            bool expertTokensNumFlag, int64_t quantMode,
                                                            const aclIntArray *activeExpertRangeOptional,
                                                            int64_t rowIdxType, const aclTensor *expandedXOut,
                                                            const aclTensor *expandedRowIdxOut,
                                                            const aclTensor *expertTokensCountOrCumsumOut,
                                                            const aclTensor *expandedScaleOut,
                                                            const aclTensor *expandedTopkWeightOut,
                                                            uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeInitRoutingV4(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
