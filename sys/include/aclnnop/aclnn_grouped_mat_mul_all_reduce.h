#ifndef ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALL_REDUCE_H
#define ACLNNOP_ACLNN_GROUPED_MAT_MUL_ALL_REDUCE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedMatMulAllReduce. */
ACLNN_API aclnnStatus aclnnGroupedMatMulAllReduceGetWorkspaceSize(const aclTensorList *x, const aclTensorList *weight,
                                                                  const aclTensorList *bias,
                                                                  const aclIntArray *groupListOptional,
                                                                  int64_t splitItem, const char *group,
                                                                  const char *reduceOp, int64_t commTurn,
                                                                  int64_t streamMode, const aclTensorList *y,
                                                                  uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedMatMulAllReduce(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
