#ifndef ACLNNOP_ACLNN_TRANSPOSE_BATCH_MAT_MUL_H
#define ACLNNOP_ACLNN_TRANSPOSE_BATCH_MAT_MUL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares TransposeBatchMatMul. */
ACLNN_API aclnnStatus aclnnTransposeBatchMatMulGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                const aclTensor *bias, const aclTensor *scale,
                                                                const aclIntArray *permX1, const aclIntArray *permX2,
                                                                const aclIntArray *permY, int8_t cubeMathType,
                                                                int32_t batchSplitFactor, aclTensor *out,
                                                                uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTransposeBatchMatMul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

/** Prepares TransposeBatchMatMulWeightNz. */
ACLNN_API aclnnStatus aclnnTransposeBatchMatMulWeightNzGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                        const aclTensor *bias, const aclTensor *scale,
                                                                        const aclIntArray *permX1,
                                                                        const aclIntArray *permX2,
                                                                        const aclIntArray *permY, int8_t cubeMathType,
                                                                        int32_t batchSplitFactor, aclTensor *out,
                                                                        uint64_t *workspaceSize,
                                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTransposeBatchMatMulWeightNz(void *workspace, uint64_t workspaceSize,
                                                        aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
