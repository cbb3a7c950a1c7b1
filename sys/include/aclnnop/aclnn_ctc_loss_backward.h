#ifndef ACLNNOP_ACLNN_CTC_LOSS_BACKWARD_H
#define ACLNNOP_ACLNN_CTC_LOSS_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares CtcLossBackward: The gradient of the connectionist temporal classification loss.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnCtcLossBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *logProbs,
                                                           const aclTensor *targets, const aclIntArray *inputLengths,
                                                           const aclIntArray *targetLengths,
                                                           const aclTensor *negLogLikelihood,
                                                           const aclTensor *logAlpha, int64_t blank, bool zeroInfinity,
                                                           aclTensor *out, uint64_t *workspaceSize,
                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnCtcLossBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
