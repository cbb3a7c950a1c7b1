#ifndef ACLNNOP_ACLNN_ASINH_WITH_AGENT_H
#define ACLNNOP_ACLNN_ASINH_WITH_AGENT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AsinhWithAgent. */
ACLNN_API aclnnStatus aclnnAsinhWithAgentGetWorkspaceSize(const aclTensor *x, const aclTensor *out,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAsinhWithAgent(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
