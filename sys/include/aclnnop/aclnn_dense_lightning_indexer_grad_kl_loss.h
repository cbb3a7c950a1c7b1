#ifndef ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_GRAD_KL_LOSS_H
#define ACLNNOP_ACLNN_DENSE_LIGHTNING_INDEXER_GRAD_KL_LOSS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DenseLightningIndexerGradKLLoss. */
ACLNN_API aclnnStatus aclnnDenseLightningIndexerGradKLLossGetWorkspaceSize(const aclTensor *query,
                                                                           const aclTensor *key,
                                                                           const aclTensor *queryIndex,
                                                                           const aclTensor *keyIndex,
                                                                           const aclTensor *weights,
                                                                           const aclTensor *softmaxMax,
                                                                           const aclTensor *softmaxSum,
                                                                           const aclTensor *softmaxMaxIndex,
                                                                           const aclTensor *softmaxSumIndex,
                                                                           const aclTensor *queryRope,
                                                                           const aclTensor *keyRope,
                                                                           const aclIntArray *actualSeqLengthsQuery,
                                                                           const aclIntArray *actualSeqLengthsKey,
                                                                           double scaleValue, char *layout,
                                                                           int64_t sparseMode, int64_t preTokens,
                                                                           int64_t nextTokens,
                                                                           const aclTensor *dQueryIndex,
                                                                           const aclTensor *dKeyIndex,
                                                                           const aclTensor *dWeights,
                                                                           const aclTensor *loss,
                                                                           uint64_t *workspaceSize,
                                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDenseLightningIndexerGradKLLoss(void *workspace, uint64_t workspaceSize,
                                                           aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
