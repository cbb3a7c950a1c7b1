#ifndef ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_H
#define ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedMatmulSwigluQuant. */
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                                    const aclTensor *bias, const aclTensor *offset,
                                                                    const aclTensor *weightScale,
                                                                    const aclTensor *xScale,
                                                                    const aclTensor *groupList, aclTensor *output,
                                                                    aclTensor *outputScale, aclTensor *outputOffset,
                                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
