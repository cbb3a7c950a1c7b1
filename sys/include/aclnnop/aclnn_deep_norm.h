#ifndef ACLNNOP_ACLNN_DEEP_NORM_H
#define ACLNNOP_ACLNN_DEEP_NORM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares DeepNorm: The sum of a tensor and another one times alpha, its trailing axes normalised as by layer_norm.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnDeepNormGetWorkspaceSize(const aclTensor *x, const aclTensor *gx, const aclTensor *beta,
                                                    const aclTensor *gamma, double alpha, double epsilon,
                                                    const aclTensor *meanOut, const aclTensor *rstdOut,
                                                    const aclTensor *yOut, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDeepNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
