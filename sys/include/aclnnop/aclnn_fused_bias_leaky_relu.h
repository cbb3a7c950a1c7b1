#ifndef ACLNNOP_ACLNN_FUSED_BIAS_LEAKY_RELU_H
#define ACLNNOP_ACLNN_FUSED_BIAS_LEAKY_RELU_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FusedBiasLeakyRelu. */
ACLNN_API aclnnStatus aclnnFusedBiasLeakyReluGetWorkspaceSize(const aclTensor *x, const aclTensor *bias,
                                                              double negativeSlope, double scale, const aclTensor *out,
                                                              uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFusedBiasLeakyRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
