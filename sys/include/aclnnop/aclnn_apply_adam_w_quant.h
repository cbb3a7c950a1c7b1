#ifndef ACLNNOP_ACLNN_APPLY_ADAM_W_QUANT_H
#define ACLNNOP_ACLNN_APPLY_ADAM_W_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ApplyAdamWQuant. */
ACLNN_API aclnnStatus aclnnApplyAdamWQuantGetWorkspaceSize(aclTensor *varRef, const aclTensor *grad, aclTensor *mRef,
                                                           aclTensor *vRef, const aclTensor *qmapM,
                                                           const aclTensor *qmapV, aclTensor *absmaxMRef,
                                                           aclTensor *absmaxVRef, const aclTensor *step, double lr,
                                                           double beta1, double beta2, double weightDecay, double eps,
                                                           double gnormScale, char *quantModeOptional,
                                                           int64_t blockSize, uint64_t *workspaceSize,
                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnApplyAdamWQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
