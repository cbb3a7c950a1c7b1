#ifndef ACLNNOP_ACLNN_QUANT_MATMUL_WEIGHT_NZ_H
#define ACLNNOP_ACLNN_QUANT_MATMUL_WEIGHT_NZ_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares QuantMatmulWeightNz: The product of two matrices of integers, scaled by column and by row.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnQuantMatmulWeightNzGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                               const aclTensor *x1Scale, const aclTensor *x2Scale,
                                                               const aclTensor *yScale, const aclTensor *x1Offset,
                                                               const aclTensor *x2Offset, const aclTensor *yOffset,
                                                               const aclTensor *bias, bool transposeX1,
                                                               bool transposeX2, int64_t groupSize, aclTensor *out,
                                                               uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantMatmulWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
