#ifndef ACLNNOP_ACLNN_MAX_UNPOOL3D_H
#define ACLNNOP_ACLNN_MAX_UNPOOL3D_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares MaxUnpool3d: Elements at their numbers in a larger volume, which is 0 elsewhere.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnMaxUnpool3dGetWorkspaceSize(const aclTensor *self, const aclTensor *indices,
                                                       const aclIntArray *outputSize, const aclIntArray *stride,
                                                       const aclIntArray *padding, aclTensor *outRef,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMaxUnpool3d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
