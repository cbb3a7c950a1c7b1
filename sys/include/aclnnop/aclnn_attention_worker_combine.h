#ifndef ACLNNOP_ACLNN_ATTENTION_WORKER_COMBINE_H
#define ACLNNOP_ACLNN_ATTENTION_WORKER_COMBINE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AttentionWorkerCombine. */
ACLNN_API aclnnStatus aclnnAttentionWorkerCombineGetWorkspaceSize(const aclTensor *scheduleContext,
                                                                  const aclTensor *expertScales,
                                                                  const aclTensor *layerId, int64_t hiddenSize,
                                                                  int64_t tokenDtype, int64_t needSchedule,
                                                                  const aclTensor *y, const aclTensor *nextLayerId,
                                                                  uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAttentionWorkerCombine(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
