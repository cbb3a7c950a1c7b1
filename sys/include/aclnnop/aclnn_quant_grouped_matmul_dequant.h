#ifndef ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_H
#define ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_DEQUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantGroupedMatmulDequant. */
ACLNN_API aclnnStatus aclnnQuantGroupedMatmulDequantGetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                                     const aclTensor *weightScale,
                                                                     const aclTensor *groupList,
                                                                     const aclTensor *biasOptional,
                                                                     const aclTensor *xScaleOptional,
                                                                     const aclTensor *xOffsetOptional,
                                                                     const aclTensor *smoothScaleOptional,
                                                                     char *xQuantMode, bool transposeWeight,
                                                                     const aclTensor *out, uint64_t *workspaceSize,
                                                                     aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantGroupedMatmulDequant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
