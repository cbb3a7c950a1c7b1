#ifndef ACLNNOP_ACLNN_FFN_TO_ATTENTION_H
#define ACLNNOP_ACLNN_FFN_TO_ATTENTION_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FFNToAttention. */
ACLNN_API aclnnStatus aclnnFFNToAttentionGetWorkspaceSize(const aclTensor *x, const aclTensor *sessionIds,
                                                          const aclTensor *microBatchIds, const aclTensor *tokenIds,
                                                          const aclTensor *expertOffsets,
                                                          const aclTensor *actualTokenNum,
                                                          const aclTensor *attnRankTable, const char *group,
                                                          int64_t worldSize, const aclIntArray *tokenInfoTableShape,
                                                          const aclIntArray *tokenDataShape, uint64_t *workspaceSize,
                                                          aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFFNToAttention(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
