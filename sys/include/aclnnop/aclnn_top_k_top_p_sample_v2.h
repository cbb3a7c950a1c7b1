#ifndef ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_V2_H
#define ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares TopKTopPSampleV2. */
ACLNN_API aclnnStatus aclnnTopKTopPSampleV2GetWorkspaceSize(const aclTensor *logits, const aclTensor *topK,
                                                            const aclTensor *topP, const aclTensor *q,
                                                            const aclTensor *minPs, double eps, bool isNeedLogits,
                                                            int64_t topKGuess, int64_t ksMax, bool inputIsLogits,
                                                            bool isNeedSampleResult, const aclTensor *logitsSelectIdx,
                                                            const aclTensor *logitsTopKPSelect,
                                                            const aclTensor *logitsIdx,
                                                            const aclTensor *logitsSortMasked, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTopKTopPSampleV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
