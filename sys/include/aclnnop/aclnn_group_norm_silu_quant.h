#ifndef ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H
#define ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupNormSiluQuant. */
ACLNN_API aclnnStatus aclnnGroupNormSiluQuantGetWorkspaceSize(const aclTensor *self, const aclTensor *gamma,
                                                              const aclTensor *beta, const aclTensor *quantScale,
                                                              int64_t group, double eps, bool activateSilu,
                                                              aclTensor *out, aclTensor *meanOut, aclTensor *rstdOut,
                                                              uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupNormSiluQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
