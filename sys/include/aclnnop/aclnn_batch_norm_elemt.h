#ifndef ACLNNOP_ACLNN_BATCH_NORM_ELEMT_H
#define ACLNNOP_ACLNN_BATCH_NORM_ELEMT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares BatchNormElemt: Each channel normalised by a mean and the inverse of a standard deviation.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnBatchNormElemtGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                                          const aclTensor *bias, aclTensor *mean, aclTensor *invstd,
                                                          double eps, aclTensor *output, uint64_t *workspaceSize,
                                                          aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnBatchNormElemt(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
