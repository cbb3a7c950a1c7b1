#ifndef ACLNNOP_ACLNN_ALLTO_ALL_MATMUL_H
#define ACLNNOP_ACLNN_ALLTO_ALL_MATMUL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AlltoAllMatmul. */
ACLNN_API aclnnStatus aclnnAlltoAllMatmulGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                          const aclTensor *biasOptional,
                                                          const aclIntArray *alltoAllAxesOptional, const char *group,
                                                          bool transposeX1, bool transposeX2, const aclTensor *output,
                                                          const aclTensor *alltoAllOutOptional,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAlltoAllMatmul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
