#ifndef ACLNNOP_ACLNN_MHC_PRE_SINKHORN_H
#define ACLNNOP_ACLNN_MHC_PRE_SINKHORN_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MhcPreSinkhorn. */
ACLNN_API aclnnStatus aclnnMhcPreSinkhornGetWorkspaceSize(const aclTensor *x, const aclTensor *phi,
                                                          const aclTensor *alpha, const aclTensor *bias,
                                                          int64_t hcMult, int64_t numIters, double hcEps,
                                                          double normEps, bool needBackward, aclTensor *hin,
                                                          aclTensor *hPost, aclTensor *hRes, aclTensor *hPre,
                                                          aclTensor *hcBeforeNorm, aclTensor *invRms,
                                                          aclTensor *sumOut, aclTensor *normOut,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMhcPreSinkhorn(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
