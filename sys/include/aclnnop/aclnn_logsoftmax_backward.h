#ifndef ACLNNOP_ACLNN_LOGSOFTMAX_BACKWARD_H
#define ACLNNOP_ACLNN_LOGSOFTMAX_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares LogSoftmaxBackward: The gradient of the logarithms of the softmax by those, `output`: `gradOutput − e^output Σ gradOutput`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnLogSoftmaxBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *output,
                                                              int64_t dim, aclTensor *out, uint64_t *workspaceSize,
                                                              aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnLogSoftmaxBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
