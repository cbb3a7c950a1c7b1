#ifndef ACLNNOP_ACLNN_QUANT_BATCH_MATMUL_INPLACE_ADD_H
#define ACLNNOP_ACLNN_QUANT_BATCH_MATMUL_INPLACE_ADD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantBatchMatmulInplaceAdd. */
ACLNN_API aclnnStatus aclnnQuantBatchMatmulInplaceAddGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                      const aclTensor *x1ScaleOptional,
                                                                      const aclTensor *x2Scale, aclTensor *yRef,
                                                                      bool transposeX1, bool transposeX2,
                                                                      int64_t groupSize, uint64_t *workspaceSize,
                                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantBatchMatmulInplaceAdd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
