#ifndef ACLNNOP_ACLNN_QUANT_GROUPED_MAT_MUL_ALLTO_ALLV_V2_H
#define ACLNNOP_ACLNN_QUANT_GROUPED_MAT_MUL_ALLTO_ALLV_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantGroupedMatMulAlltoAllvV2. */
ACLNN_API aclnnStatus aclnnQuantGroupedMatMulAlltoAllvV2GetWorkspaceSize(const aclTensor *gmmX,
                                                                         const aclTensor *gmmWeight,
                                                                         const aclTensor *gmmXScale,
                                                                         const aclTensor *gmmWeightScale,
                                                                         const aclTensor *sendCountsTensorOptional,
                                                                         const aclTensor *recvCountsTensorOptional,
                                                                         const aclTensor *mmXOptional,
                                                                         const aclTensor *mmWeightOptional,
                                                                         const aclTensor *mmXScaleOptional,
                                                                         const aclTensor *mmWeightScaleOptional,
                                                                         const aclTensor *commQuantScaleOptional,
                                                                         int64_t gmmXQuantMode,
                                                                         int64_t gmmWeightQuantMode,
                                                                         int64_t mmXQuantMode,
                                                                         int64_t mmWeightQuantMode,
                                                                         int64_t commQuantMode,
                                                                         int64_t commQuantDtypeOptional,
                                                                         int64_t groupSize, const char *group,
                                                                         const char *commMode, int64_t epWorldSize,
                                                                         const aclIntArray *sendCounts,
                                                                         const aclIntArray *recvCounts,
                                                                         bool transGmmWeight, bool transMmWeight,
                                                                         const aclTensor *y,
                                                                         const aclTensor *mmYOptional,
                                                                         uint64_t *workspaceSize,
                                                                         aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantGroupedMatMulAlltoAllvV2(void *workspace, uint64_t workspaceSize,
                                                         aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
