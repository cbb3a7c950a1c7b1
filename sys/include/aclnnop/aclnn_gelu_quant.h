#ifndef ACLNNOP_ACLNN_GELU_QUANT_H
#define ACLNNOP_ACLNN_GELU_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GeluQuant. */
ACLNN_API aclnnStatus aclnnGeluQuantGetWorkspaceSize(const aclTensor *self, const aclTensor *inputScaleOptional,
                                                     const aclTensor *inputOffsetOptional, const char *approximate,
                                                     const char *quantMode, const char *roundMode, int64_t dstType,
                                                     const aclTensor *y, const aclTensor *outScaleOptional,
                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGeluQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
