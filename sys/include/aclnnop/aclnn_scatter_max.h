#ifndef ACLNNOP_ACLNN_SCATTER_MAX_H
#define ACLNNOP_ACLNN_SCATTER_MAX_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ScatterMax. */
ACLNN_API aclnnStatus aclnnScatterMaxGetWorkspaceSize(aclTensor *varRef, const aclTensor *indices,
                                                      const aclTensor *updates, bool useLocking,
                                                      uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnScatterMax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
