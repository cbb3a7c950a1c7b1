#ifndef ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_NZ_H
#define ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_NZ_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares WeightQuantBatchMatmulNz. */
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulNzGetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                                    const aclTensor *antiquantScale,
                                                                    const aclTensor *antiquantOffsetOptional,
                                                                    const aclTensor *quantScaleOptional,
                                                                    const aclTensor *quantOffsetOptional,
                                                                    const aclTensor *biasOptional,
                                                                    int antiquantGroupSize, const aclTensor *y,
                                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
