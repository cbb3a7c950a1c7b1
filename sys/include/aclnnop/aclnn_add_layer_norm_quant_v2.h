#ifndef ACLNNOP_ACLNN_ADD_LAYER_NORM_QUANT_V2_H
#define ACLNNOP_ACLNN_ADD_LAYER_NORM_QUANT_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AddLayerNormQuantV2. */
ACLNN_API aclnnStatus aclnnAddLayerNormQuantV2GetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                               const aclTensor *gamma, const aclTensor *beta,
                                                               const aclTensor *biasOptional,
                                                               const aclTensor *scales1Optional,
                                                               const aclTensor *scales2Optional,
                                                               const aclTensor *zeroPoints1Optional,
                                                               const aclTensor *zeroPoints2Optional,
                                                               const char *quantMode, double epsilon,
                                                               bool additionalOutput, bool divMode, aclTensor *y1Out,
                                                               aclTensor *y2Out, aclTensor *xOut,
                                                               aclTensor *layernormRes, aclTensor *outScales1Out,
                                                               aclTensor *outScales2Out, uint64_t *workspaceSize,
                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddLayerNormQuantV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
