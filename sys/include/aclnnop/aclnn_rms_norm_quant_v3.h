#ifndef ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H
#define ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RmsNormQuantV3. */
ACLNN_API aclnnStatus aclnnRmsNormQuantV3GetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                          const aclTensor *scale, const aclTensor *offset,
                                                          const aclTensor *beta, double epsilon, bool divMode,
                                                          bool outputRstd, aclTensor *y, aclTensor *rstd,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRmsNormQuantV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
