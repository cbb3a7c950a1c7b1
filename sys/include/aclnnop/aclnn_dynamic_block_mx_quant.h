#ifndef ACLNNOP_ACLNN_DYNAMIC_BLOCK_MX_QUANT_H
#define ACLNNOP_ACLNN_DYNAMIC_BLOCK_MX_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DynamicBlockMxQuant. */
ACLNN_API aclnnStatus aclnnDynamicBlockMxQuantGetWorkspaceSize(const aclTensor *x, char *roundModeOptional,
                                                               int64_t dstType, int64_t scaleAlg, double dstTypeMax,
                                                               const aclTensor *yOut, const aclTensor *scale1Out,
                                                               const aclTensor *scale2Out, uint64_t *workspaceSize,
                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDynamicBlockMxQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
