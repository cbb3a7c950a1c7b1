#ifndef ACLNNOP_ACLNN_MOE_GATING_TOP_K_SOFTMAX_H
#define ACLNNOP_ACLNN_MOE_GATING_TOP_K_SOFTMAX_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeGatingTopKSoftmax. */
ACLNN_API aclnnStatus aclnnMoeGatingTopKSoftmaxGetWorkspaceSize(const aclTensor *x, const aclTensor *finishedOptional,
                                                                int64_t k, const aclTensor *yOut,
                                                                const aclTensor *expertIdxOut,
                                                                const aclTensor *rowIdxOut, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeGatingTopKSoftmax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
