#ifndef ACLNNOP_ACLNN_MHC_POST_BACKWARD_H
#define ACLNNOP_ACLNN_MHC_POST_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MhcPostBackward. */
ACLNN_API aclnnStatus aclnnMhcPostBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *x,
                                                           const aclTensor *hRes, const aclTensor *hOut,
                                                           const aclTensor *hPost, aclTensor *gradX,
                                                           aclTensor *gradHRes, aclTensor *gradHOut,
                                                           aclTensor *gradHPost, uint64_t *workspaceSize,
                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMhcPostBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
