#ifndef ACLNNOP_ACLNN_SCATTER_MIN_H
#define ACLNNOP_ACLNN_SCATTER_MIN_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ScatterMin. */
ACLNN_API aclnnStatus aclnnScatterMinGetWorkspaceSize(aclTensor *varRef, const aclTensor *indices,
                                                      const aclTensor *updates, bool useLocking,
                                                      uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnScatterMin(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
