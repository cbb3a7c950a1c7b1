#ifndef ACLNNOP_ACLNN_TRANSPOSE_QUANT_BATCH_MAT_MUL_H
#define ACLNNOP_ACLNN_TRANSPOSE_QUANT_BATCH_MAT_MUL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares TransposeQuantBatchMatMul. */
ACLNN_API aclnnStatus aclnnTransposeQuantBatchMatMulGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                     const aclTensor *bias, const aclTensor *x1Scale,
                                                                     const aclTensor *x2Scale, int32_t dtype,
                                                                     int64_t groupSize, const aclIntArray *permX1,
                                                                     const aclIntArray *permX2,
                                                                     const aclIntArray *permY,
                                                                     int32_t batchSplitFactor, aclTensor *out,
                                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTransposeQuantBatchMatMul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

/** Prepares TransposeQuantBatchMatMulWeightNz. */
ACLNN_API aclnnStatus aclnnTransposeQuantBatchMatMulWeightNzGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                             const aclTensor *bias,
                                                                             const aclTensor *x1Scale,
                                                                             const aclTensor *x2Scale, int32_t dtype,
                                                                             int64_t groupSize,
                                                                             const aclIntArray *permX1,
                                                                             const aclIntArray *permX2,
                                                                             const aclIntArray *permY,
                                                                             int32_t batchSplitFactor, aclTensor *out,
                                                                             uint64_t *workspaceSize,
                                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTransposeQuantBatchMatMulWeightNz(void *workspace, uint64_t workspaceSize,
                                                             aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
