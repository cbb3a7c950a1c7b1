#ifndef ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H
#define ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares InplaceFfnWorkerScheduler. */
ACLNN_API aclnnStatus aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(aclTensor *scheduleContextRef, int syncGroupSize,
                                                                     int executeMode, uint64_t *workspaceSize,
                                                                     aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnInplaceFfnWorkerScheduler(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
