#ifndef ACLNNOP_ACLNN_TF_SCATTER_ADD_H
#define ACLNNOP_ACLNN_TF_SCATTER_ADD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares TfScatterAdd: `updates` added to the slices of `var` along its first axis that `indices` number. CANN's description has no more than the parameters: the rule is TensorFlow's, and the types are those of IndexAdd without bool.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnTfScatterAddGetWorkspaceSize(aclTensor *varRef, const aclTensor *indices,
                                                        const aclTensor *updates, uint64_t *workspaceSize,
                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTfScatterAdd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
