#ifndef ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_H
#define ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares TopKTopPSample. */
ACLNN_API aclnnStatus aclnnTopKTopPSampleGetWorkspaceSize(const aclTensor *logits, const aclTensor *topK,
                                                          const aclTensor *topP, const aclTensor *q, double eps,
                                                          bool isNeedLogits, int64_t topKGuess,
                                                          const aclTensor *logitsSelectIdx,
                                                          const aclTensor *logitsTopKPSelect, uint64_t *workspaceSize,
                                                          aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTopKTopPSample(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
