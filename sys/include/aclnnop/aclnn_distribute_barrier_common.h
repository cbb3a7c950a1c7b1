#ifndef ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_COMMON_H
#define ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_COMMON_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of `aclnnDistributeBarrierCommonGetWorkspaceSize` are not known. */

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDistributeBarrierCommon(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

/** Prepares InnerDistributeBarrier. */
ACLNN_API aclnnStatus aclnnInnerDistributeBarrierGetWorkspaceSize(const aclTensor *xRef, const aclTensor *timeOut,
                                                                  const aclTensor *elasticInfo, const char *group,
                                                                  int64_t worldSize, uint64_t *workspaceSize,
                                                                  aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnInnerDistributeBarrier(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
