#ifndef ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_TEARDOWN_H
#define ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_TEARDOWN_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeDistributeCombineTeardown. */
ACLNN_API aclnnStatus aclnnMoeDistributeCombineTeardownGetWorkspaceSize(const aclTensor *expandX,
                                                                        const aclTensor *quantExpandX,
                                                                        const aclTensor *expertIds,
                                                                        const aclTensor *expandIdx,
                                                                        const aclTensor *expertScales,
                                                                        const aclTensor *commCmdInfo,
                                                                        const aclTensor *xActiveMaskOptional,
                                                                        const aclTensor *sharedExpertXOptional,
                                                                        const char *groupEp, int64_t epWorldSize,
                                                                        int64_t epRankId, int64_t moeExpertNum,
                                                                        int64_t expertShardType,
                                                                        int64_t sharedExpertNum,
                                                                        int64_t sharedExpertRankNum, int64_t globalBs,
                                                                        int64_t commQuantMode, int64_t commType,
                                                                        const char *commAlg, aclTensor *xOut,
                                                                        uint64_t *workspaceSize,
                                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeDistributeCombineTeardown(void *workspace, uint64_t workspaceSize,
                                                        aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
