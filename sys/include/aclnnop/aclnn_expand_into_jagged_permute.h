#ifndef ACLNNOP_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H
#define ACLNNOP_ACLNN_EXPAND_INTO_JAGGED_PERMUTE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ExpandIntoJaggedPermute. */
ACLNN_API aclnnStatus aclnnExpandIntoJaggedPermuteGetWorkspaceSize(const aclTensor *permute,
                                                                   const aclTensor *inputOffset,
                                                                   const aclTensor *outputOffset, int64_t outputSize,
                                                                   const aclTensor *outputPermuteOut,
                                                                   uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnExpandIntoJaggedPermute(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
