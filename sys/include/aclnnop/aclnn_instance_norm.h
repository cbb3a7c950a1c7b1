#ifndef ACLNNOP_ACLNN_INSTANCE_NORM_H
#define ACLNNOP_ACLNN_INSTANCE_NORM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares InstanceNorm: Each channel of each image normalised by its mean and variance.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnInstanceNormGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                        const aclTensor *beta, const char *dataFormat, double eps,
                                                        aclTensor *y, aclTensor *mean, aclTensor *variance,
                                                        uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnInstanceNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
