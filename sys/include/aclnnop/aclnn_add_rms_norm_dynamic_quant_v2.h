#ifndef ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_V2_H
#define ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AddRmsNormDynamicQuantV2. */
ACLNN_API aclnnStatus aclnnAddRmsNormDynamicQuantV2GetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                    const aclTensor *gamma,
                                                                    const aclTensor *smoothScale1Optional,
                                                                    const aclTensor *smoothScale2Optional,
                                                                    const aclTensor *betaOptional, double epsilon,
                                                                    const aclBoolArray *outputMask, aclTensor *y1Out,
                                                                    aclTensor *y2Out, aclTensor *xOut,
                                                                    aclTensor *scale1Out, aclTensor *scale2Out,
                                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddRmsNormDynamicQuantV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
