#ifndef ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_H
#define ACLNNOP_ACLNN_MASKED_CAUSAL_CONV1D_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MaskedCausalConv1d. */
ACLNN_API aclnnStatus aclnnMaskedCausalConv1dGetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                              const aclTensor *maskOptional, const aclTensor *out,
                                                              uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMaskedCausalConv1d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
