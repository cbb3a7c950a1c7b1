#ifndef ACLNNOP_ACLNN_ALLTO_ALLV_GROUPED_MAT_MUL_V2_H
#define ACLNNOP_ACLNN_ALLTO_ALLV_GROUPED_MAT_MUL_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AlltoAllvGroupedMatMulV2. */
ACLNN_API aclnnStatus aclnnAlltoAllvGroupedMatMulV2GetWorkspaceSize(const aclTensor *gmmX, const aclTensor *gmmWeight,
                                                                    const aclTensor *sendCountsTensorOptional,
                                                                    const aclTensor *recvCountsTensorOptional,
                                                                    const aclTensor *mmXOptional,
                                                                    const aclTensor *mmWeightOptional,
                                                                    const char *group, const char *commMode,
                                                                    int64_t epWorldSize, const aclIntArray *sendCounts,
                                                                    const aclIntArray *recvCounts, bool transGmmWeight,
                                                                    bool transMmWeight, bool permuteOutFlag,
                                                                    aclTensor *gmmY, aclTensor *mmYOptional,
                                                                    aclTensor *permuteOutOptional,
                                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAlltoAllvGroupedMatMulV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
