#ifndef ACLNNOP_ACLNN_CAUSAL_CONV1D_FN_H
#define ACLNNOP_ACLNN_CAUSAL_CONV1D_FN_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares CausalConv1dFn. */
ACLNN_API aclnnStatus aclnnCausalConv1dFnGetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                          aclTensor *convStatesRef, const aclTensor *biasOptional,
                                                          const aclTensor *queryStartLocOptional,
                                                          const aclTensor *cacheIndicesOptional,
                                                          const aclTensor *initialStateModeOptional,
                                                          const aclTensor *blockIdxFirstScheduledTokenOptional,
                                                          const aclTensor *blockIdxLastScheduledTokenOptional,
                                                          const aclTensor *initialStateIdxOptional,
                                                          const aclTensor *numComputedTokensOptional,
                                                          const char *activation, int64_t nullBlockId,
                                                          int64_t blockSizeToAlign, aclTensor *y,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnCausalConv1dFn(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
