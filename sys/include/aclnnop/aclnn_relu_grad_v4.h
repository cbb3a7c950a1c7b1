#ifndef ACLNNOP_ACLNN_RELU_GRAD_V4_H
#define ACLNNOP_ACLNN_RELU_GRAD_V4_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ReluGradV4. */
ACLNN_API aclnnStatus aclnnReluGradV4GetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                                      const aclScalar *threshold, aclTensor *out,
                                                      uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnReluGradV4(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
