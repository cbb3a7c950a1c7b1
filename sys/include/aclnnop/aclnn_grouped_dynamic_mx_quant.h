#ifndef ACLNNOP_ACLNN_GROUPED_DYNAMIC_MX_QUANT_H
#define ACLNNOP_ACLNN_GROUPED_DYNAMIC_MX_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedDynamicMxQuant. */
ACLNN_API aclnnStatus aclnnGroupedDynamicMxQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *groupIndex,
                                                                 const char *roundMode, int64_t dstType,
                                                                 int64_t blocksize, const aclTensor *y,
                                                                 const aclTensor *mxscale, uint64_t *workspaceSize,
                                                                 aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedDynamicMxQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
