#ifndef ACLNNOP_ACLNN_DYNAMIC_DUAL_LEVEL_MX_QUANT_H
#define ACLNNOP_ACLNN_DYNAMIC_DUAL_LEVEL_MX_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DynamicDualLevelMxQuant. */
ACLNN_API aclnnStatus aclnnDynamicDualLevelMxQuantGetWorkspaceSize(const aclTensor *x,
                                                                   const aclTensor *smoothScaleOptional,
                                                                   char *roundModeOptional, int64_t level0BlockSize,
                                                                   int64_t level1BlockSize, const aclTensor *yOut,
                                                                   const aclTensor *level0ScaleOut,
                                                                   const aclTensor *level1ScaleOut,
                                                                   uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDynamicDualLevelMxQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
