#ifndef ACLNNOP_ACLNN_ADVANCE_STEP_V2_H
#define ACLNNOP_ACLNN_ADVANCE_STEP_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AdvanceStepV2. */
ACLNN_API aclnnStatus aclnnAdvanceStepV2GetWorkspaceSize(const aclTensor *inputTokens,
                                                         const aclTensor *sampledTokenIds,
                                                         const aclTensor *inputPositions, const aclTensor *seqLens,
                                                         const aclTensor *slotMapping, const aclTensor *blockTables,
                                                         const aclTensor *specToken, const aclTensor *acceptedNum,
                                                         int64_t numSeqs, int64_t numQueries, int64_t blockSize,
                                                         uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAdvanceStepV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
