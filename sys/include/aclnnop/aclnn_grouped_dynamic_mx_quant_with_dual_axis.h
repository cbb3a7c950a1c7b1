#ifndef ACLNNOP_ACLNN_GROUPED_DYNAMIC_MX_QUANT_WITH_DUAL_AXIS_H
#define ACLNNOP_ACLNN_GROUPED_DYNAMIC_MX_QUANT_WITH_DUAL_AXIS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedDynamicMxQuantWithDualAxis. */
ACLNN_API aclnnStatus aclnnGroupedDynamicMxQuantWithDualAxisGetWorkspaceSize(const aclTensor *x,
                                                                             const aclTensor *groupIndex,
                                                                             char *roundModeOptional, int64_t scaleAlg,
                                                                             int64_t dstDtype, double maxDtypeValue,
                                                                             const aclTensor *y1Out,
                                                                             const aclTensor *y1ScaleOut,
                                                                             const aclTensor *y2Out,
                                                                             const aclTensor *y2ScaleOut,
                                                                             uint64_t *workspaceSize,
                                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedDynamicMxQuantWithDualAxis(void *workspace, uint64_t workspaceSize,
                                                             aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
