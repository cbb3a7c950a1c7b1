#ifndef ACLNNOP_ACLNN_MHC_PRE_H
#define ACLNNOP_ACLNN_MHC_PRE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MhcPre. */
ACLNN_API aclnnStatus aclnnMhcPreGetWorkspaceSize(const aclTensor *x, const aclTensor *phi, const aclTensor *alpha,
                                                  const aclTensor *bias, const aclTensor *gammaOptional,
                                                  double normEps, double hcEps, aclTensor *hIn, aclTensor *hPost,
                                                  aclTensor *hRes, aclTensor *invRmsOptional, aclTensor *hMixOptional,
                                                  aclTensor *hPreOptional, uint64_t *workspaceSize,
                                                  aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMhcPre(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
