#ifndef ACLNNOP_ACLNN_ADVANCE_STEP_H
#define ACLNNOP_ACLNN_ADVANCE_STEP_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AdvanceStep. */
ACLNN_API aclnnStatus aclnnAdvanceStepGetWorkspaceSize(const aclTensor *inputTokens, const aclTensor *sampledTokenIds,
                                                       const aclTensor *inputPositions, const aclTensor *seqLens,
                                                       const aclTensor *slotMapping, const aclTensor *blockTables,
                                                       int64_t numSeqs, int64_t numQueries, int64_t blockSize,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAdvanceStep(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
