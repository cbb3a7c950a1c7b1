#ifndef ACLNNOP_ACLNN_SOFTSIGN_H
#define ACLNNOP_ACLNN_SOFTSIGN_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares Softsign. */
ACLNN_API aclnnStatus aclnnSoftsignGetWorkspaceSize(const aclTensor *self, const aclTensor *out,
                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSoftsign(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
