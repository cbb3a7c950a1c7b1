#ifndef ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_V2_H
#define ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedMatmulSwigluQuantWeightNzV2. */
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNzV2GetWorkspaceSize(const aclTensor *x,
                                                                              const aclTensorList *weight,
                                                                              const aclTensorList *weightScale,
                                                                              const aclTensorList *weightAssistMatrix,
                                                                              const aclTensor *bias,
                                                                              const aclTensor *xScale,
                                                                              const aclTensor *smoothScale,
                                                                              const aclTensor *groupList,
                                                                              int64_t dequantMode,
                                                                              int64_t dequantDtype, int64_t quantMode,
                                                                              int64_t groupListType,
                                                                              const aclIntArray *tuningConfigOptional,
                                                                              aclTensor *output,
                                                                              aclTensor *outputScale,
                                                                              uint64_t *workspaceSize,
                                                                              aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNzV2(void *workspace, uint64_t workspaceSize,
                                                              aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
