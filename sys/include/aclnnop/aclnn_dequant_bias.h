#ifndef ACLNNOP_ACLNN_DEQUANT_BIAS_H
#define ACLNNOP_ACLNN_DEQUANT_BIAS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DequantBias. */
ACLNN_API aclnnStatus aclnnDequantBiasGetWorkspaceSize(const aclTensor *x, const aclTensor *weightScale,
                                                       const aclTensor *activateScaleOptional,
                                                       const aclTensor *biasOptional, int64_t outputDtype,
                                                       const aclTensor *out, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDequantBias(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
