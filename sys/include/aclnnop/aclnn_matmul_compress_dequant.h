#ifndef ACLNNOP_ACLNN_MATMUL_COMPRESS_DEQUANT_H
#define ACLNNOP_ACLNN_MATMUL_COMPRESS_DEQUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MatmulCompressDequant. */
ACLNN_API aclnnStatus aclnnMatmulCompressDequantGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                 const aclTensor *compressIndex, const aclTensor *bias,
                                                                 const aclTensor *deqScale, const aclTensor *offsetW,
                                                                 int offsetX, const aclIntArray *compressInfo,
                                                                 aclTensor *out, uint64_t *workspaceSize,
                                                                 aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMatmulCompressDequant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
