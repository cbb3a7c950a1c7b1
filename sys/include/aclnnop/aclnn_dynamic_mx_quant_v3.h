#ifndef ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_V3_H
#define ACLNNOP_ACLNN_DYNAMIC_MX_QUANT_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DynamicMxQuantV3. */
ACLNN_API aclnnStatus aclnnDynamicMxQuantV3GetWorkspaceSize(const aclTensor *x, int64_t axis, char *roundModeOptional,
                                                            int64_t dstType, int64_t blocksize, int64_t scaleAlg,
                                                            double dstTypeMax, double maxLowBound,
                                                            const aclTensor *yOut, const aclTensor *mxscaleOut,
                                                            uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDynamicMxQuantV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
