#ifndef ACLNNOP_ACLNN_SCATTER_LIST_H
#define ACLNNOP_ACLNN_SCATTER_LIST_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ScatterList. */
ACLNN_API aclnnStatus aclnnScatterListGetWorkspaceSize(aclTensorList *varRef, const aclTensor *indice,
                                                       const aclTensor *updates, const aclTensor *maskOptional,
                                                       char *reduceOptional, int64_t axis, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnScatterList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
