#ifndef ACLNNOP_ACLNN_SWIGLU_GROUP_H
#define ACLNNOP_ACLNN_SWIGLU_GROUP_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SwigluGroup. */
ACLNN_API aclnnStatus aclnnSwigluGroupGetWorkspaceSize(const aclTensor *x, const aclTensor *weightOptional,
                                                       const aclTensor *groupIndexOptional, double clampLimit,
                                                       const aclTensor *out, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSwigluGroup(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
