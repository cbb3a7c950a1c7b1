#ifndef ACLNNOP_ACLNN_GROUPED_MATMUL_ACTIVATION_QUANT_WEIGHT_NZ_H
#define ACLNNOP_ACLNN_GROUPED_MATMUL_ACTIVATION_QUANT_WEIGHT_NZ_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedMatmulActivationQuantWeightNz. */
ACLNN_API aclnnStatus aclnnGroupedMatmulActivationQuantWeightNzGetWorkspaceSize(const aclTensor *x,
                                                                                const aclTensor *groupList,
                                                                                const aclTensorList *weight,
                                                                                const aclTensorList *weightScale,
                                                                                const aclTensorList *bias,
                                                                                const aclTensor *xScaleOptional,
                                                                                const char *activationType,
                                                                                int64_t groupListType,
                                                                                const aclIntArray *tuningConfig,
                                                                                const char *quantMode,
                                                                                const char *roundMode,
                                                                                int64_t scaleAlg, float dstTypeMax,
                                                                                aclTensor *y, aclTensor *yScale,
                                                                                uint64_t *workspaceSize,
                                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedMatmulActivationQuantWeightNz(void *workspace, uint64_t workspaceSize,
                                                                aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
