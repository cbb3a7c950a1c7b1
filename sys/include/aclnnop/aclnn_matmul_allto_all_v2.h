#ifndef ACLNNOP_ACLNN_MATMUL_ALLTO_ALL_V2_H
#define ACLNNOP_ACLNN_MATMUL_ALLTO_ALL_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MatmulAlltoAllV2. */
ACLNN_API aclnnStatus aclnnMatmulAlltoAllV2GetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                            const aclTensor *biasOptional,
                                                            const aclIntArray *alltoAllAxesOptional, const char *group,
                                                            const char *commMode, bool transposeX1, bool transposeX2,
                                                            const aclTensor *output, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMatmulAlltoAllV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
