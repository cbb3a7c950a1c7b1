#ifndef ACLNNOP_ACLNN_CROSS_ENTROPY_SUM_EXP_AND_INDEX_LOGIT_H
#define ACLNNOP_ACLNN_CROSS_ENTROPY_SUM_EXP_AND_INDEX_LOGIT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares CrossEntropySumExpAndIndexLogit. */
ACLNN_API aclnnStatus aclnnCrossEntropySumExpAndIndexLogitGetWorkspaceSize(const aclTensor *vocabParallelLogits,
                                                                           const aclTensor *target,
                                                                           const aclTensor *globalLogitsMax,
                                                                           int64_t vocabStartIndex,
                                                                           int64_t vocabEndIndex,
                                                                           const aclTensor *predictedLogitsOut,
                                                                           const aclTensor *sumExpLogitsOut,
                                                                           const aclTensor *expLogitsOut,
                                                                           const aclTensor *targetOffsetOut,
                                                                           const aclTensor *targetMaskOut,
                                                                           uint64_t *workspaceSize,
                                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnCrossEntropySumExpAndIndexLogit(void *workspace, uint64_t workspaceSize,
                                                           aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
