#ifndef ACLNNOP_ACLNN_SITU_MX_QUANT_H
#define ACLNNOP_ACLNN_SITU_MX_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SituMxQuant. */
ACLNN_API aclnnStatus aclnnSituMxQuantGetWorkspaceSize(const aclTensor *x, float beta, float linearBeta,
                                                       bool activateLeft, int64_t axis, int64_t dstType,
                                                       char *roundModeOptional, const aclTensor *yOut,
                                                       const aclTensor *yScaleOut, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSituMxQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
