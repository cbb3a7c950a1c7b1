#ifndef ACLNNOP_ACLNN_MX_TO_BLOCK_MX_QUANT_H
#define ACLNNOP_ACLNN_MX_TO_BLOCK_MX_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MxToBlockMxQuant. */
ACLNN_API aclnnStatus aclnnMxToBlockMxQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *mxscale,
                                                            int64_t dstType, const aclTensor *y,
                                                            const aclTensor *scale1, const aclTensor *scale2,
                                                            uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMxToBlockMxQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
