#ifndef ACLNNOP_ACLNN_APPLY_ADAM_W_H
#define ACLNNOP_ACLNN_APPLY_ADAM_W_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ApplyAdamW: A step of Adam with decoupled decay of weights, with hyperparameters in tensors.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnApplyAdamWGetWorkspaceSize(aclTensor *varRef, aclTensor *mRef, aclTensor *vRef,
                                                      const aclTensor *beta1Power, const aclTensor *beta2Power,
                                                      const aclTensor *lr, const aclTensor *weightDecay,
                                                      const aclTensor *beta1, const aclTensor *beta2,
                                                      const aclTensor *eps, const aclTensor *grad,
                                                      const aclTensor *maxGradNormOptional, bool amsgrad,
                                                      bool maximize, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnApplyAdamW(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
