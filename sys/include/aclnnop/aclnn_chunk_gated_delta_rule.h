#ifndef ACLNNOP_ACLNN_CHUNK_GATED_DELTA_RULE_H
#define ACLNNOP_ACLNN_CHUNK_GATED_DELTA_RULE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ChunkGatedDeltaRule. */
ACLNN_API aclnnStatus aclnnChunkGatedDeltaRuleGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                               const aclTensor *value, const aclTensor *beta,
                                                               const aclTensor *initialState,
                                                               const aclTensor *actualSeqLengths,
                                                               const aclTensor *gOptional, float scaleValue,
                                                               const aclTensor *out, const aclTensor *finalState,
                                                               uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnChunkGatedDeltaRule(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
