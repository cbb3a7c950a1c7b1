#ifndef ACLNNOP_ACLNN_APPLY_FTRL_H
#define ACLNNOP_ACLNN_APPLY_FTRL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ApplyFtrl. */
ACLNN_API aclnnStatus aclnnApplyFtrlGetWorkspaceSize(aclTensor *varRef, aclTensor *accumRef, aclTensor *linearRef,
                                                     const aclTensor *grad, const aclTensor *lr, const aclTensor *l1,
                                                     const aclTensor *l2, const aclTensor *lrPower, bool useLocking,
                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnApplyFtrl(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
