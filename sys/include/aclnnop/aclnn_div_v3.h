#ifndef ACLNNOP_ACLNN_DIV_V3_H
#define ACLNNOP_ACLNN_DIV_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DivV3. */
ACLNN_API aclnnStatus aclnnDivV3GetWorkspaceSize(const aclTensor *self, const aclTensor *other, int64_t mode,
                                                 aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDivV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
