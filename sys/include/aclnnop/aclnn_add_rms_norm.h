#ifndef ACLNNOP_ACLNN_ADD_RMS_NORM_H
#define ACLNNOP_ACLNN_ADD_RMS_NORM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares AddRmsNorm: The sum of two tensors, its trailing axes normalised as by rms_norm.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnAddRmsNormGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2, const aclTensor *gamma,
                                                      double epsilon, aclTensor *yOut, aclTensor *rstdOut,
                                                      aclTensor *xOut, uint64_t *workspaceSize,
                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddRmsNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
