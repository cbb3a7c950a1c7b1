#ifndef ACLNNOP_ACLNN_SPARSE4TO2QUANT_MATMUL_WEIGHT_NZ_H
#define ACLNNOP_ACLNN_SPARSE4TO2QUANT_MATMUL_WEIGHT_NZ_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares Sparse4to2QuantMatmulWeightNz. */
ACLNN_API aclnnStatus aclnnSparse4to2QuantMatmulWeightNzGetWorkspaceSize(const aclTensor *x,
                                                                         const aclTensor *sparseWeight,
                                                                         const aclTensor *index,
                                                                         const aclTensor *xScale,
                                                                         const aclTensor *sparseWeightScale,
                                                                         const aclTensor *biasOptional, aclTensor *out,
                                                                         uint64_t *workspaceSize,
                                                                         aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSparse4to2QuantMatmulWeightNz(void *workspace, uint64_t workspaceSize,
                                                         aclOpExecutor *executor, aclrtStream stream);

/* The parameters of `aclnnTransSparse4to2Para`, a single function without a launch, are not known. */

#ifdef __cplusplus
}
#endif

#endif
