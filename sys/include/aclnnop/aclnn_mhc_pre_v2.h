#ifndef ACLNNOP_ACLNN_MHC_PRE_V2_H
#define ACLNNOP_ACLNN_MHC_PRE_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MhcPreV2. */
ACLNN_API aclnnStatus aclnnMhcPreV2GetWorkspaceSize(const aclTensor *x, const aclTensor *phi, const aclTensor *alpha,
                                                    const aclTensor *bias, const aclTensor *gammaOptional,
                                                    double normEps, double hcEps, int64_t opImplMode, aclTensor *hIn,
                                                    aclTensor *hPost, aclTensor *hRes, aclTensor *invRmsOptional,
                                                    aclTensor *hMixOptional, aclTensor *hPreOptional,
                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMhcPreV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
