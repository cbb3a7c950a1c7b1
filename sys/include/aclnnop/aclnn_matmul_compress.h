#ifndef ACLNNOP_ACLNN_MATMUL_COMPRESS_H
#define ACLNNOP_ACLNN_MATMUL_COMPRESS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MatmulCompress. */
ACLNN_API aclnnStatus aclnnMatmulCompressGetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                          const aclTensor *bias, const aclTensor *compressIndex,
                                                          aclTensor *out, uint64_t *workspaceSize,
                                                          aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMatmulCompress(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
