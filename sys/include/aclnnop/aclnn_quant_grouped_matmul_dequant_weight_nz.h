#ifndef ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_WEIGHT_NZ_H
#define ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_WEIGHT_NZ_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantGroupedMatmulDequantWeightNZ. */
ACLNN_API aclnnStatus aclnnQuantGroupedMatmulDequantWeightNZGetWorkspaceSize(const aclTensor *x,
                                                                             const aclTensor *weight,
                                                                             const aclTensor *weightScale,
                                                                             const aclTensor *groupList,
                                                                             const aclTensor *biasOptional,
                                                                             const aclTensor *xScaleOptional,
                                                                             const aclTensor *xOffsetOptional,
                                                                             const aclTensor *smoothScaleOptional,
                                                                             char *xQuantMode, bool transposeWeight,
                                                                             aclTensor *out, uint64_t *workspaceSize,
                                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantGroupedMatmulDequantWeightNZ(void *workspace, uint64_t workspaceSize,
                                                             aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
