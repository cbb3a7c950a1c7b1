#ifndef ACLNNOP_ACLNN_SVD_H
#define ACLNNOP_ACLNN_SVD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares Svd: Singular values, and their left and right vectors.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnSvdGetWorkspaceSize(const aclTensor *input, bool fullMatrices, bool computeUV,
                                               aclTensor *sigma, aclTensor *u, aclTensor *v, uint64_t *workspaceSize,
                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSvd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
