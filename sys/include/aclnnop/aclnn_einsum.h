#ifndef ACLNNOP_ACLNN_EINSUM_H
#define ACLNNOP_ACLNN_EINSUM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares Einsum: The sums of products that an equation names; there are two, `abcd,abced->abce` and `a,b->ab`.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnEinsumGetWorkspaceSize(const aclTensorList *tensors, const char *equation,
                                                  aclTensor *output, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnEinsum(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
