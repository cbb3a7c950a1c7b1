#ifndef ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V2_GRAD_H
#define ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V2_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeFinalizeRoutingV2Grad. */
ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV2GradGetWorkspaceSize(const aclTensor *gradY,
                                                                    const aclTensor *expandedRowIdx,
                                                                    const aclTensor *expandedXOptional,
                                                                    const aclTensor *scalesOptional,
                                                                    const aclTensor *expertIdxOptional,
                                                                    const aclTensor *biasOptional, int64_t dropPadMode,
                                                                    int64_t activeNum, int64_t expertNum,
                                                                    int64_t expertCapacity,
                                                                    const aclTensor *gradExpandedXOut,
                                                                    const aclTensor *gradScalesOut,
                                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV2Grad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
