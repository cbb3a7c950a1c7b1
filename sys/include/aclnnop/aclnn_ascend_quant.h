#ifndef ACLNNOP_ACLNN_ASCEND_QUANT_H
#define ACLNNOP_ACLNN_ASCEND_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AscendQuant. */
ACLNN_API aclnnStatus aclnnAscendQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *scale,
                                                       const aclTensor *offset, bool sqrtMode, const char *roundMode,
                                                       int32_t dstType, const aclTensor *y, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAscendQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
