#ifndef ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_MX_QUANT_H
#define ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_MX_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RmsNormDynamicMxQuant. */
ACLNN_API aclnnStatus aclnnRmsNormDynamicMxQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                                 const aclTensor *beta, double epsilon,
                                                                 int64_t scaleAlg, char *roundMode, int64_t dstType,
                                                                 bool outputRstd, aclTensor *yOut,
                                                                 aclTensor *mxscaleOut, aclTensor *rstdOut,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRmsNormDynamicMxQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
