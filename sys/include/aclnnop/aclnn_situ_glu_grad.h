#ifndef ACLNNOP_ACLNN_SITU_GLU_GRAD_H
#define ACLNNOP_ACLNN_SITU_GLU_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SituGluGrad. */
ACLNN_API aclnnStatus aclnnSituGluGradGetWorkspaceSize(const aclTensor *gradY, const aclTensor *x, int64_t dim,
                                                       double beta, double linearBeta, bool activateLeft,
                                                       const aclTensor *out, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSituGluGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
