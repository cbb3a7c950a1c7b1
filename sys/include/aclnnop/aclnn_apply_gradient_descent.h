#ifndef ACLNNOP_ACLNN_APPLY_GRADIENT_DESCENT_H
#define ACLNNOP_ACLNN_APPLY_GRADIENT_DESCENT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ApplyGradientDescent. */
ACLNN_API aclnnStatus aclnnApplyGradientDescentGetWorkspaceSize(aclTensor *var, const aclTensor *alpha,
                                                                const aclTensor *delta, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnApplyGradientDescent(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
