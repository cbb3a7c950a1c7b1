#ifndef ACLNNOP_ACLNN_CTC_LOSS_H
#define ACLNNOP_ACLNN_CTC_LOSS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares CtcLoss: The negative logarithm of the probability of a sequence without its blanks and repetitions.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnCtcLossGetWorkspaceSize(const aclTensor *logProbs, const aclTensor *targets,
                                                   const aclIntArray *inputLengths, const aclIntArray *targetlengths,
                                                   int64_t blank, bool zeroInfinity, aclTensor *negLogLikelihoodOut,
                                                   aclTensor *logAlphaOut, uint64_t *workspaceSize,
                                                   aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnCtcLoss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
