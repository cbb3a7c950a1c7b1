#ifndef ACLNNOP_ACLNN_DYNAMIC_QUANT_V3_H
#define ACLNNOP_ACLNN_DYNAMIC_QUANT_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DynamicQuantV3. */
ACLNN_API aclnnStatus aclnnDynamicQuantV3GetWorkspaceSize(const aclTensor *x, const aclTensor *smoothScalesOptional,
                                                          const aclTensor *groupIndexOptional, int64_t dstType,
                                                          bool isSymmetrical, const char *quantMode,
                                                          const aclTensor *yOut, const aclTensor *scaleOut,
                                                          const aclTensor *offsetOut, uint64_t *workspaceSize,
                                                          aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDynamicQuantV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
