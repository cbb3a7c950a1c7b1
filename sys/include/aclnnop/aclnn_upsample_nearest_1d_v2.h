#ifndef ACLNNOP_ACLNN_UPSAMPLE_NEAREST_1D_V2_H
#define ACLNNOP_ACLNN_UPSAMPLE_NEAREST_1D_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares UpsampleNearest1dV2: The nearest element along one axis.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnUpsampleNearest1dV2GetWorkspaceSize(const aclTensor *self, const aclIntArray *outputSize,
                                                               float scaleL, aclTensor *out, uint64_t *workspaceSize,
                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnUpsampleNearest1dV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
