#ifndef ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_SETUP_H
#define ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_SETUP_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of `aclnnMoeDistributeCombineSetupGetWorkspaceSize` are not known. */

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeDistributeCombineSetup(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
