#ifndef ACLNNOP_ACLNN_MOE_DISTRIBUTE_DISPATCH_SETUP_H
#define ACLNNOP_ACLNN_MOE_DISTRIBUTE_DISPATCH_SETUP_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeDistributeDispatchSetup. */
ACLNN_API aclnnStatus aclnnMoeDistributeDispatchSetupGetWorkspaceSize(const aclTensor *x, const aclTensor *expertIds,
                                                                      const aclTensor *scalesOptional,
                                                                      const aclTensor *xActiveMaskOptional,
                                                                      const char *groupEp, int64_t epWorldSize,
                                                                      int64_t epRankId, int64_t moeExpertNum,
                                                                      int64_t expertShardType, int64_t sharedExpertNum,
                                                                      int64_t sharedExpertRankNum, int64_t quantMode,
                                                                      int64_t globalBs, int64_t commType,
                                                                      const char *commAlg, aclTensor *yOut,
                                                                      aclTensor *expandIdxOut,
                                                                      aclTensor *commCmdInfoOut,
                                                                      uint64_t *workspaceSize,
                                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeDistributeDispatchSetup(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                      aclrtStream stream);

/** A single function, without a launch. */
ACLNN_API aclnnStatus aclnnMoeDistributeDispatchSetupTeardownCalcOutputSize(const aclTensor *x,
    const aclTensor *expertIds, const aclTensor *scalesOptional, const aclTensor *xActiveMaskOptional,
    const char *groupEp, int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum, int64_t expertShardType,
    int64_t sharedExpertNum, int64_t sharedExpertRankNum, int64_t quantMode, int64_t globalBs,
    int64_t expertTokenNumsType, int64_t commType, const char *commAlg, ACLNN_OUT(uint64_t) tokenMsgSize,
    ACLNN_OUT(uint64_t) expandIdxOutSize, ACLNN_OUT(uint64_t) assistInfoForCombineOutSize,
    ACLNN_OUT(uint64_t) commCmdInfoOutSize);

#ifdef __cplusplus
}
#endif

#endif
