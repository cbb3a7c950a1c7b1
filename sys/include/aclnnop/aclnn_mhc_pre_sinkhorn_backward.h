#ifndef ACLNNOP_ACLNN_MHC_PRE_SINKHORN_BACKWARD_H
#define ACLNNOP_ACLNN_MHC_PRE_SINKHORN_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MhcPreSinkhornBackward. */
ACLNN_API aclnnStatus aclnnMhcPreSinkhornBackwardGetWorkspaceSize(const aclTensor *gradHin, const aclTensor *gradHPost,
                                                                  const aclTensor *gradHRes, const aclTensor *x,
                                                                  const aclTensor *phi, const aclTensor *alpha,
                                                                  const aclTensor *bias, const aclTensor *hPre,
                                                                  const aclTensor *hcBeforeNorm,
                                                                  const aclTensor *invRms, const aclTensor *sumOut,
                                                                  const aclTensor *normOut, double hcEps,
                                                                  const aclTensor *gradX, const aclTensor *gradPhi,
                                                                  const aclTensor *gradAlpha,
                                                                  const aclTensor *gradBias, uint64_t *workspaceSize,
                                                                  aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMhcPreSinkhornBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
