#ifndef ACLNNOP_ACLNN_ACOS_GRAD_H
#define ACLNNOP_ACLNN_ACOS_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AcosGrad. */
ACLNN_API aclnnStatus aclnnAcosGradGetWorkspaceSize(const aclTensor *y_grad, const aclTensor *x,
                                                    const aclTensor *x_grad, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAcosGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
