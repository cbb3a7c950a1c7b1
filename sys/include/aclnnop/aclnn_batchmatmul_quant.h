#ifndef ACLNNOP_ACLNN_BATCHMATMUL_QUANT_H
#define ACLNNOP_ACLNN_BATCHMATMUL_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares BatchMatmulQuant. */
ACLNN_API aclnnStatus aclnnBatchMatmulQuantGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                            const aclTensor *quantParam, const aclTensor *bias,
                                                            bool transposeX1, bool transposeX2, aclTensor *out,
                                                            uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnBatchMatmulQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
