#ifndef ACLNNOP_ACLNN_QUANT_MATMUL_ALLTO_ALL_H
#define ACLNNOP_ACLNN_QUANT_MATMUL_ALLTO_ALL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantMatmulAlltoAll. */
ACLNN_API aclnnStatus aclnnQuantMatmulAlltoAllGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                               const aclTensor *biasOptional, const aclTensor *x1Scale,
                                                               const aclTensor *x2Scale,
                                                               const aclTensor *commScaleOptional,
                                                               const aclTensor *x1OffsetOptional,
                                                               const aclTensor *x2OffsetOptional,
                                                               const aclIntArray *alltoAllAxesOptional,
                                                               const char *group, int64_t x1QuantMode,
                                                               int64_t x2QuantMode, int64_t commQuantMode,
                                                               int64_t commQuantDtype, int64_t groupSize,
                                                               bool transposeX1, bool transposeX2,
                                                               const aclTensor *output, uint64_t *workspaceSize,
                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantMatmulAlltoAll(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
