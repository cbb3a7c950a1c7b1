#ifndef ACLNNOP_ACLNN_APPLY_ADAMAX_H
#define ACLNNOP_ACLNN_APPLY_ADAMAX_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ApplyAdamax. */
ACLNN_API aclnnStatus aclnnApplyAdamaxGetWorkspaceSize(const aclTensor *var, const aclTensor *m, const aclTensor *v,
                                                       const aclScalar *beta1Power, const aclScalar *lr,
                                                       const aclScalar *beta1, const aclScalar *beta2,
                                                       const aclScalar *epsilon, const aclTensor *grad,
                                                       aclTensor *varOut, aclTensor *mOut, aclTensor *vOut,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnApplyAdamax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
