#ifndef ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V4_H
#define ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V4_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeFinalizeRoutingV4. */
ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV4GetWorkspaceSize(const aclTensor *expandedX,
                                                                const aclTensor *expandedRowIdx,
                                                                const aclTensor *x1Optional,
                                                                const aclTensor *x2Optional,
                                                                const aclTensor *biasOptional,
                                                                const aclTensor *scalesOptional,
                                                                const aclTensor *expertIdxOptional,
                                                                const aclTensor *xOptional,
                                                                const aclTensor *a1Optional,
                                                                const aclTensor *a2Optional,
                                                                const aclTensor *vOptional, int64_t dropPadMode,
                                                                const aclIntArray *zeroExpertRange,
                                                                const aclIntArray *copyExpertRange,
                                                                const aclIntArray *constantExpertRange, int64_t k,
                                                                const aclTensor *out, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV4(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
