#ifndef ACLNNOP_ACLNN_APPLY_FUSED_EMA_ADAM_H
#define ACLNNOP_ACLNN_APPLY_FUSED_EMA_ADAM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ApplyFusedEmaAdam: A step of Adam, and a running mean of the parameters.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnApplyFusedEmaAdamGetWorkspaceSize(const aclTensor *grad, aclTensor *varRef, aclTensor *mRef,
                                                             aclTensor *vRef, aclTensor *sRef, const aclTensor *step,
                                                             double lr, double emaDecay, double beta1, double beta2,
                                                             double eps, int64_t mode, bool biasCorrection,
                                                             double weightDecay, uint64_t *workspaceSize,
                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnApplyFusedEmaAdam(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
