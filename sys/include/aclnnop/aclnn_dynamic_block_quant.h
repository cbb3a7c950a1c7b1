#ifndef ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_H
#define ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DynamicBlockQuant. */
ACLNN_API aclnnStatus aclnnDynamicBlockQuantGetWorkspaceSize(const aclTensor *x, double minScale,
                                                             char *roundModeOptional, int64_t dstType,
                                                             int64_t rowBlockSize, int64_t colBlockSize,
                                                             const aclTensor *yOut, const aclTensor *scaleOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDynamicBlockQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
