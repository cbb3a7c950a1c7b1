#ifndef ACLNNOP_ACLNN_FUSED_QUANT_MATMUL_WEIGHT_NZ_H
#define ACLNNOP_ACLNN_FUSED_QUANT_MATMUL_WEIGHT_NZ_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FusedQuantMatmulWeightNz. */
ACLNN_API aclnnStatus aclnnFusedQuantMatmulWeightNzGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                    const aclTensor *x1Scale, const aclTensor *x2Scale,
                                                                    const aclTensor *yScaleOptional,
                                                                    const aclTensor *x1OffsetOptional,
                                                                    const aclTensor *x2OffsetOptional,
                                                                    const aclTensor *yOffsetOptional,
                                                                    const aclTensor *biasOptional,
                                                                    const aclTensor *x3Optional,
                                                                    const char *fusedOpType, int64_t groupSizeOptional,
                                                                    aclTensor *out, uint64_t *workspaceSize,
                                                                    aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedQuantMatmulWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
