#ifndef ACLNNOP_ACLNN_APPLY_ADADELTA_H
#define ACLNNOP_ACLNN_APPLY_ADADELTA_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ApplyAdadelta. */
ACLNN_API aclnnStatus aclnnApplyAdadeltaGetWorkspaceSize(const aclTensor *var, const aclTensor *accum,
                                                         const aclTensor *accumUpdate, const aclScalar *lr,
                                                         const aclScalar *rho, const aclScalar *epsilon,
                                                         const aclTensor *grad, aclTensor *varOut, aclTensor *accumOut,
                                                         aclTensor *accumUpdateOut, uint64_t *workspaceSize,
                                                         aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnApplyAdadelta(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
