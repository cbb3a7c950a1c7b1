#ifndef ACLNNOP_ACLNN_ASCEND_QUANT_V3_H
#define ACLNNOP_ACLNN_ASCEND_QUANT_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AscendQuantV3. */
ACLNN_API aclnnStatus aclnnAscendQuantV3GetWorkspaceSize(const aclTensor *x, const aclTensor *scale,
                                                         const aclTensor *offset, bool sqrtMode, const char *roundMode,
                                                         int32_t dstType, int32_t axis, const aclTensor *y,
                                                         uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAscendQuantV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
