#ifndef ACLNNOP_ACLNN_GROUPED_DYNAMIC_MX_QUANT_V2_H
#define ACLNNOP_ACLNN_GROUPED_DYNAMIC_MX_QUANT_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedDynamicMxQuantV2. */
ACLNN_API aclnnStatus aclnnGroupedDynamicMxQuantV2GetWorkspaceSize(const aclTensor *x, const aclTensor *groupIndex,
                                                                   const char *roundMode, int64_t dstType,
                                                                   int64_t blocksize, int64_t scaleAlg,
                                                                   double dstTypeMax, const aclTensor *y,
                                                                   const aclTensor *mxscale, uint64_t *workspaceSize,
                                                                   aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedDynamicMxQuantV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
