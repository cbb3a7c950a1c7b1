#ifndef ACLNNOP_ACLNN_LAYER_NORM_QUANT_H
#define ACLNNOP_ACLNN_LAYER_NORM_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares LayerNormQuant. */
ACLNN_API aclnnStatus aclnnLayerNormQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *gammma,
                                                          const aclTensor *beta, const aclTensor *scale,
                                                          const aclTensor *zeroPointsOptional, int quantMode,
                                                          double epsilon, aclTensor *res, aclTensor *scaleOut,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnLayerNormQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
