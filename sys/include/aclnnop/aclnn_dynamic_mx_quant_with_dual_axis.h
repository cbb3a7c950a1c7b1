#ifndef ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_WITH_DUAL_AXIS_H
#define ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_WITH_DUAL_AXIS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DynamicMxQuantWithDualAxis. */
ACLNN_API aclnnStatus aclnnDynamicMxQuantWithDualAxisGetWorkspaceSize(const aclTensor *x, char *roundModeOptional,
                                                                      int64_t dstType, int64_t scaleAlg,
                                                                      const aclTensor *y1Out,
                                                                      const aclTensor *mxscale1Out,
                                                                      const aclTensor *y2Out,
                                                                      const aclTensor *mxscale2Out,
                                                                      uint64_t *workspaceSize,
                                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDynamicMxQuantWithDualAxis(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
