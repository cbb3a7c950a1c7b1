#ifndef ACLNNOP_ACLNN_GROUP_NORM_SWISH_H
#define ACLNNOP_ACLNN_GROUP_NORM_SWISH_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupNormSwish. */
ACLNN_API aclnnStatus aclnnGroupNormSwishGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                          const aclTensor *beta, int64_t numGroups,
                                                          char *dataFormatOptional, double eps, bool activateSwish,
                                                          double swishScale, const aclTensor *yOut,
                                                          const aclTensor *meanOut, const aclTensor *rstdOut,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupNormSwish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
