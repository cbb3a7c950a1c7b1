#ifndef ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_V2_H
#define ACLNNOP_ACLNN_DYNAMIC_BLOCK_QUANT_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DynamicBlockQuantV2. */
ACLNN_API aclnnStatus aclnnDynamicBlockQuantV2GetWorkspaceSize(const aclTensor *x, double minScale,
                                                               char *roundModeOptional, int64_t dstType,
                                                               int64_t rowBlockSize, int64_t colBlockSize,
                                                               double dstTypeMax, const aclTensor *yOut,
                                                               const aclTensor *scaleOut, uint64_t *workspaceSize,
                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDynamicBlockQuantV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
