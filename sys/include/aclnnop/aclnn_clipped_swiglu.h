#ifndef ACLNNOP_ACLNN_CLIPPED_SWIGLU_H
#define ACLNNOP_ACLNN_CLIPPED_SWIGLU_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ClippedSwiglu. */
ACLNN_API aclnnStatus aclnnClippedSwigluGetWorkspaceSize(const aclTensor *x, const aclTensor *groupIndexOptional,
                                                         int64_t dim, double alpha, double limit, double bias,
                                                         bool interleaved, const aclTensor *out,
                                                         uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnClippedSwiglu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
