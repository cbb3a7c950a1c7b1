#ifndef ACLNNOP_ACLNN_ADD_LAYER_NORM_H
#define ACLNNOP_ACLNN_ADD_LAYER_NORM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares AddLayerNorm: The sum of two tensors and a bias, its trailing axes normalised as by layer_norm.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnAddLayerNormGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                        const aclTensor *gamma, const aclTensor *beta,
                                                        const aclTensor *biasOptional, double epsilon,
                                                        bool additionalOutput, const aclTensor *yOut,
                                                        const aclTensor *meanOut, const aclTensor *rstdOut,
                                                        const aclTensor *xOut, uint64_t *workspaceSize,
                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddLayerNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
