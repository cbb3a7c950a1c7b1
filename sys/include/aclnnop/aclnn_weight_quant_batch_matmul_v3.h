#ifndef ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V3_H
#define ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares WeightQuantBatchMatmulV3: The product of a matrix of floats and a weight of integers, which are shifted and scaled to floats.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulV3GetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                                    const aclTensor *antiquantScale,
                                                                    const aclTensor *antiquantOffsetOptional,
                                                                    const aclTensor *quantScaleOptional,
                                                                    const aclTensor *quantOffsetOptional,
                                                                    const aclTensor *biasOptional,
                                                                    int antiquantGroupSize, int innerPrecise,
                                                                    const aclTensor *y, uint64_t *workspaceSize,
                                                                    aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
