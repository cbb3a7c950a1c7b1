#ifndef ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H
#define ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AdaLayerNormQuant. */
ACLNN_API aclnnStatus aclnnAdaLayerNormQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *scale,
                                                             const aclTensor *shift, const aclTensor *weightOptional,
                                                             const aclTensor *biasOptional,
                                                             const aclTensor *smoothScalesOptional, double epsilon,
                                                             const char *quantMode, aclTensor *out,
                                                             aclTensor *quantScale, aclTensor *quantOffsetOptional,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAdaLayerNormQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
