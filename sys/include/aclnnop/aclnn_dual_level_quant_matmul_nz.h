#ifndef ACLNNOP_ACLNN_DUAL_LEVEL_QUANT_MATMUL_NZ_H
#define ACLNNOP_ACLNN_DUAL_LEVEL_QUANT_MATMUL_NZ_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DualLevelQuantMatmulWeightNz. */
ACLNN_API aclnnStatus aclnnDualLevelQuantMatmulWeightNzGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                        const aclTensor *x1Level0Scale,
                                                                        const aclTensor *x2Level0Scale,
                                                                        const aclTensor *x1Level1Scale,
                                                                        const aclTensor *x2Level1Scale,
                                                                        const aclTensor *optionalBias,
                                                                        bool transposeX1, bool transposeX2,
                                                                        int64_t level0GroupSize,
                                                                        int64_t level1GroupSize, aclTensor *out,
                                                                        uint64_t *workspaceSize,
                                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDualLevelQuantMatmulWeightNz(void *workspace, uint64_t workspaceSize,
                                                        aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
