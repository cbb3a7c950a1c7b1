#ifndef ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_SETUP_H
#define ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_SETUP_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeDistributeCombineSetup. */
ACLNN_API aclnnStatus aclnnMoeDistributeCombineSetupGetWorkspaceSize(const aclTensor *expandX,
                                                                     const aclTensor *expertIds,
                                                                     const aclTensor *assistInfoForCombine,
                                                                     const char *groupEp, int64_t epWorldSize,
                                                                     int64_t epRankId, int64_t moeExpertNum,
                                                                     int64_t expertSharedType, int64_t sharedExpertNum,
                                                                     int64_t sharedExpertRankNum, int64_t globalBs,
                                                                     int64_t commQuantMode, int64_t commType,
                                                                     const char *commAlg, aclTensor *quantExpandXOut,
                                                                     aclTensor *commCmdInfoOut,
                                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeDistributeCombineSetup(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

/** A single function, without a launch. */
ACLNN_API aclnnStatus aclnnMoeDistributeCombineSetupTeardownCalcOutputSize(const aclTensor *expandX,
                                                                           const aclTensor *expertIds,
                                                                           const aclTensor *assistInfoForCombine,
                                                                           const char *groupEp, int64_t epWorldSize,
                                                                           int64_t epRankId, int64_t moeExpertNum,
                                                                           int64_t expertSharedType,
                                                                           int64_t sharedExpertNum,
                                                                           int64_t sharedExpertRankNum,
                                                                           int64_t globalBs, int64_t commQuantMode,
                                                                           int64_t commType, const char *commAlg,
                                                                           ACLNN_OUT(uint64_t) tokenMsgSize,
                                                                           ACLNN_OUT(uint64_t) commCmdInfoOutSize);

#ifdef __cplusplus
}
#endif

#endif
