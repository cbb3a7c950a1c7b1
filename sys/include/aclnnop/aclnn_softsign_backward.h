#ifndef ACLNNOP_ACLNN_SOFTSIGN_BACKWARD_H
#define ACLNNOP_ACLNN_SOFTSIGN_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SoftsignBackward. */
ACLNN_API aclnnStatus aclnnSoftsignBackwardGetWorkspaceSize(const aclTensor *gradients, const aclTensor *features,
                                                            const aclTensor *out, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSoftsignBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
