#ifndef ACLNNOP_ACLNN_MUL_NO_NAN_H
#define ACLNNOP_ACLNN_MUL_NO_NAN_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MulNoNan. */
ACLNN_API aclnnStatus aclnnMulNoNanGetWorkspaceSize(const aclTensor *x, const aclTensor *y, const aclTensor *z,
                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMulNoNan(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
