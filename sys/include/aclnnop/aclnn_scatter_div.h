#ifndef ACLNNOP_ACLNN_SCATTER_DIV_H
#define ACLNNOP_ACLNN_SCATTER_DIV_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ScatterDiv. */
ACLNN_API aclnnStatus aclnnScatterDivGetWorkspaceSize(aclTensor *varRef, const aclTensor *indices,
                                                      const aclTensor *updates, bool useLocking,
                                                      uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnScatterDiv(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
