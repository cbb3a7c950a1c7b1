#ifndef ACLNNOP_ACLNN_SLEEP_H
#define ACLNNOP_ACLNN_SLEEP_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares Sleep. */
ACLNN_API aclnnStatus aclnnSleepGetWorkspaceSize(const aclIntArray *cycles, uint64_t *workspaceSize,
                                                 aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSleep(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
