#ifndef ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_V2_H
#define ACLNNOP_ACLNN_GROUPED_MATMUL_ADD_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedMatmulAddV2. */
ACLNN_API aclnnStatus aclnnGroupedMatmulAddV2GetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                              const aclTensor *groupList, aclTensor *yRef,
                                                              bool transposeX, bool transposeWeight, int64_t groupType,
                                                              int64_t groupListType, uint64_t *workspaceSize,
                                                              aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedMatmulAddV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
