#ifndef ACLNNOP_ACLNN_FUSED_LINEAR_ONLINE_MAX_SUM_H
#define ACLNNOP_ACLNN_FUSED_LINEAR_ONLINE_MAX_SUM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FusedLinearOnlineMaxSum. */
ACLNN_API aclnnStatus aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                                                   const aclTensor *target, int64_t vocabStartIndex,
                                                                   int64_t vocabEndIndex, aclTensor *logitsMaxLocalOut,
                                                                   aclTensor *sumExpLogitsLocalOut,
                                                                   aclTensor *predictedLogitsLocalOut,
                                                                   aclTensor *targetMaskOut,
                                                                   aclTensor *maskedTargetOut,
                                                                   aclTensor *vocabParallelLogitsOutOptional,
                                                                   uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedLinearOnlineMaxSum(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
