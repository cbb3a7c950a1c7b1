#ifndef ACLNNOP_ACLNN_RMS_NORM_GRAD_QUANT_H
#define ACLNNOP_ACLNN_RMS_NORM_GRAD_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RmsNormGradQuant. */
ACLNN_API aclnnStatus aclnnRmsNormGradQuantGetWorkspaceSize(const aclTensor *dy, const aclTensor *x,
                                                            const aclTensor *rstd, const aclTensor *gamma,
                                                            const aclTensor *scalesX, const aclTensor *offsetXOptional,
                                                            const char *quantMode, bool divMode, aclTensor *dxOut,
                                                            aclTensor *dgammaOut, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRmsNormGradQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
