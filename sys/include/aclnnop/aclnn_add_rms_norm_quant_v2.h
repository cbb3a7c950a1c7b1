#ifndef ACLNNOP_ACLNN_ADD_RMS_NORM_QUANT_V2_H
#define ACLNNOP_ACLNN_ADD_RMS_NORM_QUANT_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AddRmsNormQuantV2. */
ACLNN_API aclnnStatus aclnnAddRmsNormQuantV2GetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                             const aclTensor *gamma, const aclTensor *scales1,
                                                             const aclTensor *scales2Optional,
                                                             const aclTensor *zeroPoints1Optional,
                                                             const aclTensor *zeroPoints2Optional,
                                                             const aclTensor *betaOptional, int64_t axis,
                                                             double epsilon, bool divMode, aclTensor *y1Out,
                                                             aclTensor *y2Out, aclTensor *xOut, aclTensor *rmsNormOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddRmsNormQuantV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
