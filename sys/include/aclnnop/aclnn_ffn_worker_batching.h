#ifndef ACLNNOP_ACLNN_FFN_WORKER_BATCHING_H
#define ACLNNOP_ACLNN_FFN_WORKER_BATCHING_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FfnWorkerBatching. */
ACLNN_API aclnnStatus aclnnFfnWorkerBatchingGetWorkspaceSize(const aclTensor *scheduleContext, int64_t expertNum,
                                                             const aclIntArray *maxOutShape, int64_t tokenDtype,
                                                             int64_t needSchedule, int64_t layerNum,
                                                             const aclTensor *y, const aclTensor *groupList,
                                                             const aclTensor *sessionIds,
                                                             const aclTensor *microBatchIds, const aclTensor *tokenIds,
                                                             const aclTensor *expertOffsets,
                                                             const aclTensor *dynamicScale,
                                                             const aclTensor *actualTokenNum, uint64_t *workspaceSize,
                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFfnWorkerBatching(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
