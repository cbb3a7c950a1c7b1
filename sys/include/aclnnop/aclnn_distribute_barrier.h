#ifndef ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_H
#define ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DistributeBarrier. */
ACLNN_API aclnnStatus aclnnDistributeBarrierGetWorkspaceSize(aclTensor *xRef, const char *group, int64_t worldSize,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDistributeBarrier(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
