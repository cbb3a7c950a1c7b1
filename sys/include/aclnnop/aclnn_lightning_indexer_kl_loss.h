#ifndef ACLNNOP_ACLNN_LIGHTNING_INDEXER_KL_LOSS_H
#define ACLNNOP_ACLNN_LIGHTNING_INDEXER_KL_LOSS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares LightningIndexerKLLoss. */
ACLNN_API aclnnStatus aclnnLightningIndexerKLLossGetWorkspaceSize(const aclTensor *targetScore,
                                                                  const aclTensor *indexProbs, double eps,
                                                                  const char *weightType, const aclTensor *loss,
                                                                  uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnLightningIndexerKLLoss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
