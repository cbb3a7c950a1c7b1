#ifndef ACLNNOP_ACLNN_GROUP_NORM_SWISH_GRAD_H
#define ACLNNOP_ACLNN_GROUP_NORM_SWISH_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupNormSwishGrad. */
ACLNN_API aclnnStatus aclnnGroupNormSwishGradGetWorkspaceSize(const aclTensor *dy, const aclTensor *mean,
                                                              const aclTensor *rstd, const aclTensor *x,
                                                              const aclTensor *gamma, const aclTensor *beta,
                                                              int64_t numGroups, char *dataFormatOptional,
                                                              double swishScale, bool dgammaIsRequire,
                                                              bool dbetaIsRequire, const aclTensor *dxOut,
                                                              const aclTensor *dgammaOut, const aclTensor *dbetaOut,
                                                              uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupNormSwishGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
