#ifndef ACLNNOP_ACLNN_ASCEND_ANTI_QUANT_H
#define ACLNNOP_ACLNN_ASCEND_ANTI_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AscendAntiQuant. */
ACLNN_API aclnnStatus aclnnAscendAntiQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *scale,
                                                           const aclTensor *offset, int64_t dstType, bool sqrtMode,
                                                           const aclTensor *y, uint64_t *workspaceSize,
                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAscendAntiQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
