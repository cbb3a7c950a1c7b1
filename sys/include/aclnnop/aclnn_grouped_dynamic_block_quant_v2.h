#ifndef ACLNNOP_ACLNN_GROUPED_DYNAMIC_BLOCK_QUANT_V2_H
#define ACLNNOP_ACLNN_GROUPED_DYNAMIC_BLOCK_QUANT_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedDynamicBlockQuantV2. */
ACLNN_API aclnnStatus aclnnGroupedDynamicBlockQuantV2GetWorkspaceSize(const aclTensor *x, const aclTensor *groupList,
                                                                      double minScale, char *roundModeOptional,
                                                                      int64_t dstType, int64_t rowBlockSize,
                                                                      int64_t colBlockSize, int64_t groupListType,
                                                                      double dstTypeMax, const aclTensor *yOut,
                                                                      const aclTensor *scaleOut,
                                                                      uint64_t *workspaceSize,
                                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedDynamicBlockQuantV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
