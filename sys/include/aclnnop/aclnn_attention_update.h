#ifndef ACLNNOP_ACLNN_ATTENTION_UPDATE_H
#define ACLNNOP_ACLNN_ATTENTION_UPDATE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AttentionUpdate. */
ACLNN_API aclnnStatus aclnnAttentionUpdateGetWorkspaceSize(const aclTensorList *lse, const aclTensorList *localOut,
                                                           int64_t updateType, aclTensor *out, aclTensor *lseOut,
                                                           uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAttentionUpdate(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
