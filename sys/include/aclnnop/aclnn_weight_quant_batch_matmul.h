#ifndef ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_H
#define ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares WeightQuantBatchMatmul. */
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                  const aclTensor *diagonalMatrix,
                                                                  const aclTensor *deqOffset,
                                                                  const aclTensor *deqScale,
                                                                  const aclTensor *addOffset,
                                                                  const aclTensor *mulScale, const aclTensor *bias,
                                                                  bool transposeX1, bool transposeX2,
                                                                  float antiquantScale, float antiquantOffset,
                                                                  aclTensor *out, uint64_t *workspaceSize,
                                                                  aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
