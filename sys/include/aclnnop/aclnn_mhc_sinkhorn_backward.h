#ifndef ACLNNOP_ACLNN_MHC_SINKHORN_BACKWARD_H
#define ACLNNOP_ACLNN_MHC_SINKHORN_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MhcSinkhornBackward. */
ACLNN_API aclnnStatus aclnnMhcSinkhornBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *normOut,
                                                               const aclTensor *sumOut, aclTensor *out,
                                                               uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMhcSinkhornBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
