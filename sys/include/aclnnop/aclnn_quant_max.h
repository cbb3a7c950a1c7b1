#ifndef ACLNNOP_ACLNN_QUANT_MAX_H
#define ACLNNOP_ACLNN_QUANT_MAX_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantMax. */
ACLNN_API aclnnStatus aclnnQuantMaxGetWorkspaceSize(const aclTensor *x, const aclTensor *scale, char *roundMode,
                                                    int64_t dstType, const aclTensor *y, const aclTensor *amax,
                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantMax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
