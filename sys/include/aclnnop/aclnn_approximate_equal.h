#ifndef ACLNNOP_ACLNN_APPROXIMATE_EQUAL_H
#define ACLNNOP_ACLNN_APPROXIMATE_EQUAL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ApproximateEqual. */
ACLNN_API aclnnStatus aclnnApproximateEqualGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2, float tolerance,
                                                            aclTensor *y, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnApproximateEqual(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
