#ifndef ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_H
#define ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares CrossEntropyLoss: The logarithms of the softmax of each row, and the negative of that of its class.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnCrossEntropyLossGetWorkspaceSize(const aclTensor *input, const aclTensor *target,
                                                            const aclTensor *weightOptional, char *reductionOptional,
                                                            int64_t ignoreIndex, double labelSmoothing,
                                                            double lseSquareScaleForZloss, bool returnZloss,
                                                            aclTensor *lossOut, aclTensor *logProbOut,
                                                            aclTensor *zlossOut, aclTensor *lseForZlossOut,
                                                            uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnCrossEntropyLoss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
