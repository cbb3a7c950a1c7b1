#ifndef ACLNNOP_ACLNN_DROPOUT_V3_GRAD_H
#define ACLNNOP_ACLNN_DROPOUT_V3_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares DropoutV3Grad: The gradient of `dropout`: the elements that the mask keeps times a factor, and zeros for the others.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnDropoutV3GradGetWorkspaceSize(const aclTensor *gradY, const aclTensor *mask, double scale,
                                                         aclTensor *gradX, uint64_t *workspaceSize,
                                                         aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDropoutV3Grad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
