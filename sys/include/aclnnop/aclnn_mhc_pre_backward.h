#ifndef ACLNNOP_ACLNN_MHC_PRE_BACKWARD_H
#define ACLNNOP_ACLNN_MHC_PRE_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MhcPreBackward. */
ACLNN_API aclnnStatus aclnnMhcPreBackwardGetWorkspaceSize(const aclTensor *x, const aclTensor *phi,
                                                          const aclTensor *alpha, const aclTensor *gradHIn,
                                                          const aclTensor *gradHPost, const aclTensor *gradHRes,
                                                          const aclTensor *invRms, const aclTensor *hMix,
                                                          const aclTensor *hPre, const aclTensor *hPost,
                                                          const aclTensor *gamma, const aclTensor *gradXPostOptional,
                                                          float hcEps, const aclTensor *gradX,
                                                          const aclTensor *gradPhi, const aclTensor *gradAlpha,
                                                          const aclTensor *gradBias, const aclTensor *gradGamma,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMhcPreBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
