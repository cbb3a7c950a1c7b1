#ifndef ACLNNOP_ACLNN_DROPOUT_V3_H
#define ACLNNOP_ACLNN_DROPOUT_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares DropoutV3: As `dropout`, with a mask whatever the probability is.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnDropoutV3GetWorkspaceSize(const aclTensor *input, const aclTensor *optionalNoiseShape,
                                                     double p, int64_t seed, int64_t offset, aclTensor *out,
                                                     aclTensor *maskOut, uint64_t *workspaceSize,
                                                     aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDropoutV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
