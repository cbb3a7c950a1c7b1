#ifndef ACLNNOP_ACLNN_ANTI_MX_QUANT_H
#define ACLNNOP_ACLNN_ANTI_MX_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AntiMxQuant. */
ACLNN_API aclnnStatus aclnnAntiMxQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *mxscale, int64_t axis,
                                                       int64_t dstType, const aclTensor *y, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAntiMxQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
