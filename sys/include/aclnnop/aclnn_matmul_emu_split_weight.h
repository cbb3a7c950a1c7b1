#ifndef ACLNNOP_ACLNN_MATMUL_EMU_SPLIT_WEIGHT_H
#define ACLNNOP_ACLNN_MATMUL_EMU_SPLIT_WEIGHT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MatmulEmuSplitWeight. */
ACLNN_API aclnnStatus aclnnMatmulEmuSplitWeightGetWorkspaceSize(const aclTensor *x, const aclTensor *wHigh,
                                                                const aclTensor *wLow, const aclTensor *y,
                                                                float wLowScale, int8_t yDtype,
                                                                uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMatmulEmuSplitWeight(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
