#ifndef ACLNNOP_ACLNN_ACOS_GRAD_V2_H
#define ACLNNOP_ACLNN_ACOS_GRAD_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AcosGradV2. */
ACLNN_API aclnnStatus aclnnAcosGradV2GetWorkspaceSize(const aclTensor *y, const aclTensor *dy, const aclTensor *z,
                                                      uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAcosGradV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
