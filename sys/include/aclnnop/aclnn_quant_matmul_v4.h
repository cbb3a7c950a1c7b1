#ifndef ACLNNOP_ACLNN_QUANT_MATMUL_V4_H
#define ACLNNOP_ACLNN_QUANT_MATMUL_V4_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares QuantMatmulV4: The product of two matrices of integers, scaled by column and by row.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnQuantMatmulV4GetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                         const aclTensor *scale, const aclTensor *offset,
                                                         const aclTensor *pertokenScaleOptional, const aclTensor *bias,
                                                         bool transposeX1, bool transposeX2, const aclTensor *out,
                                                         uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantMatmulV4(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
