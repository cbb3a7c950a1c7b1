#ifndef ACLNNOP_ACLNN_MOE_INIT_ROUTING_H
#define ACLNNOP_ACLNN_MOE_INIT_ROUTING_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeInitRouting. */
ACLNN_API aclnnStatus aclnnMoeInitRoutingGetWorkspaceSize(const aclTensor *x, const aclTensor *rowIdx,
                                                          const aclTensor *expertIdx, int64_t activeNum,
                                                          const aclTensor *expandedXOut,
                                                          const aclTensor *expandedRowIdxOut,
                                                          const aclTensor *expandedExpertIdxOut,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeInitRouting(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
