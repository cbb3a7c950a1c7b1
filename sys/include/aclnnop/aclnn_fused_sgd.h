#ifndef ACLNNOP_ACLNN_FUSED_SGD_H
#define ACLNNOP_ACLNN_FUSED_SGD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares FusedSgd: A step of gradient descent with momentum, for each parameter of a list.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFusedSgdGetWorkspaceSize(const aclTensorList *paramsRef, const aclTensorList *gradsRef,
                                                    const aclTensorList *momentumBufferListOptionalRef,
                                                    const aclTensor *gradScaleOptional, float weightDecay,
                                                    float momentum, float lr, float dampening, bool nesterov,
                                                    bool maximize, bool isFirstStep, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedSgd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
