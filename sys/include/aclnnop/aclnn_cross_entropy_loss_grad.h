#ifndef ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_GRAD_H
#define ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares CrossEntropyLossGrad: The gradient of the cross entropy of classes.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnCrossEntropyLossGradGetWorkspaceSize(const aclTensor *gradLoss, const aclTensor *logProb,
                                                                const aclTensor *target,
                                                                const aclTensor *weightOptional,
                                                                const aclTensor *gradZlossOptional,
                                                                const aclTensor *lseForZlossOptional,
                                                                char *reductionOptional, int64_t ignoreIndex,
                                                                double labelSmoothing, double lseSquareScaleForZloss,
                                                                aclTensor *out, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnCrossEntropyLossGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
