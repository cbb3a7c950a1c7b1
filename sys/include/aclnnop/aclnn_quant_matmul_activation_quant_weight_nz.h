#ifndef ACLNNOP_ACLNN_QUANT_MATMUL_ACTIVATION_QUANT_WEIGHT_NZ_H
#define ACLNNOP_ACLNN_QUANT_MATMUL_ACTIVATION_QUANT_WEIGHT_NZ_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantMatmulActivationQuantWeightNz. */
ACLNN_API aclnnStatus aclnnQuantMatmulActivationQuantWeightNzGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                              const aclTensor *x1ScaleOptional,
                                                                              const aclTensor *x2Scale,
                                                                              const aclTensor *biasOptional,
                                                                              bool transposeX1, bool transposeX2,
                                                                              int64_t groupSize,
                                                                              const char *activationType,
                                                                              const char *quantMode,
                                                                              const char *roundMode, int64_t scaleAlg,
                                                                              double dstTypeMax, aclTensor *yOut,
                                                                              aclTensor *yScaleOut,
                                                                              uint64_t *workspaceSize,
                                                                              aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantMatmulActivationQuantWeightNz(void *workspace, uint64_t workspaceSize,
                                                              aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
