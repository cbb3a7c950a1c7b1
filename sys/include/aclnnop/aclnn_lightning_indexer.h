#ifndef ACLNNOP_ACLNN_LIGHTNING_INDEXER_H
#define ACLNNOP_ACLNN_LIGHTNING_INDEXER_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares LightningIndexer. */
ACLNN_API aclnnStatus aclnnLightningIndexerGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                            const aclTensor *weights,
                                                            const aclTensor *actualSeqLengthsQueryOptional,
                                                            const aclTensor *actualSeqLengthsKeyOptional,
                                                            const aclTensor *blockTableOptional,
                                                            char *layoutQueryOptional, char *layoutKeyOptional,
                                                            int64_t sparseCount, int64_t sparseMode, int64_t preTokens,
                                                            int64_t nextTokens, bool returnValues,
                                                            const aclTensor *sparseIndicesOut,
                                                            const aclTensor *sparseValuesOut, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnLightningIndexer(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
