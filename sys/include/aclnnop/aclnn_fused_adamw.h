#ifndef ACLNNOP_ACLNN_FUSED_ADAMW_H
#define ACLNNOP_ACLNN_FUSED_ADAMW_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares FusedAdamw: A step of Adam with decoupled decay of weights, for each parameter of a list.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFusedAdamwGetWorkspaceSize(const aclTensorList *paramsRef, const aclTensorList *grads,
                                                      const aclTensorList *expAvgsRef,
                                                      const aclTensorList *expAvgSqsRef,
                                                      const aclTensorList *maxExpAvgSqsRef,
                                                      const aclTensorList *stateSteps,
                                                      const aclTensor *gradScaleOptional,
                                                      const aclTensor *foundInfOptional, double lr, double beta1,
                                                      double beta2, double weightDecay, double eps, bool amsgrad,
                                                      bool maximize, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedAdamw(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
