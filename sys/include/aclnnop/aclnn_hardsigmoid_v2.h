#ifndef ACLNNOP_ACLNN_HARDSIGMOID_V2_H
#define ACLNNOP_ACLNN_HARDSIGMOID_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares HardsigmoidV2. */
ACLNN_API aclnnStatus aclnnHardsigmoidV2GetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                                         uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnHardsigmoidV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

/** Prepares InplaceHardsigmoidV2. */
ACLNN_API aclnnStatus aclnnInplaceHardsigmoidV2GetWorkspaceSize(const aclTensor *self, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnInplaceHardsigmoidV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
