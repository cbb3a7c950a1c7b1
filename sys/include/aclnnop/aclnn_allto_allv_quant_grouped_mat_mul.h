#ifndef ACLNNOP_ACLNN_ALLTO_ALLV_QUANT_GROUPED_MAT_MUL_H
#define ACLNNOP_ACLNN_ALLTO_ALLV_QUANT_GROUPED_MAT_MUL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AlltoAllvQuantGroupedMatMul. */
ACLNN_API aclnnStatus aclnnAlltoAllvQuantGroupedMatMulGetWorkspaceSize(const aclTensor *gmmX,
                                                                       const aclTensor *gmmWeight,
                                                                       const aclTensor *gmmXScale,
                                                                       const aclTensor *gmmWeightScale,
                                                                       const aclTensor *sendCountsTensorOptional,
                                                                       const aclTensor *recvCountsTensorOptional,
                                                                       const aclTensor *mmXOptional,
                                                                       const aclTensor *mmWeightOptional,
                                                                       const aclTensor *mmXScaleOptional,
                                                                       const aclTensor *mmWeightScaleOptional,
                                                                       int64_t gmmXQuantMode,
                                                                       int64_t gmmWeightQuantMode,
                                                                       int64_t mmXQuantMode, int64_t mmWeightQuantMode,
                                                                       const char *group, int64_t epWorldSize,
                                                                       const aclIntArray *sendCounts,
                                                                       const aclIntArray *recvCounts,
                                                                       bool transGmmWeight, bool transMmWeight,
                                                                       int64_t groupSize, bool permuteOutFlag,
                                                                       aclTensor *gmmY, aclTensor *mmYOptional,
                                                                       aclTensor *permuteOutOptional,
                                                                       uint64_t *workspaceSize,
                                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAlltoAllvQuantGroupedMatMul(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
