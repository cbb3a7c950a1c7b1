#ifndef ACLNNOP_ACLNN_MOE_GATING_TOP_K_SOFTMAX_V2_H
#define ACLNNOP_ACLNN_MOE_GATING_TOP_K_SOFTMAX_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeGatingTopKSoftmaxV2. */
ACLNN_API aclnnStatus aclnnMoeGatingTopKSoftmaxV2GetWorkspaceSize(const aclTensor *x,
                                                                  const aclTensor *finishedOptional, int64_t k,
                                                                  int64_t renorm, bool outputSoftmaxResultFlag,
                                                                  const aclTensor *yOut, const aclTensor *expertIdxOut,
                                                                  const aclTensor *softmaxResultOutOptional,
                                                                  uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeGatingTopKSoftmaxV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
