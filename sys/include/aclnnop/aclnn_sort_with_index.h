#ifndef ACLNNOP_ACLNN_SORT_WITH_INDEX_H
#define ACLNNOP_ACLNN_SORT_WITH_INDEX_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SortWithIndex. */
ACLNN_API aclnnStatus aclnnSortWithIndexGetWorkspaceSize(const aclTensor *x, const aclTensor *index, int64_t axis,
                                                         bool descending, bool stable, aclTensor *valuesOut,
                                                         aclTensor *indicesOut, uint64_t *workspaceSize,
                                                         aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSortWithIndex(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
