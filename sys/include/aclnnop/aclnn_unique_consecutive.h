#ifndef ACLNNOP_ACLNN_UNIQUE_CONSECUTIVE_H
#define ACLNNOP_ACLNN_UNIQUE_CONSECUTIVE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares UniqueConsecutive: One element of each run of equal neighbours, where each element went, and the lengths of the runs.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnUniqueConsecutiveGetWorkspaceSize(const aclTensor *self, bool returnInverse,
                                                             bool returnCounts, int64_t dim, aclTensor *valueOut,
                                                             aclTensor *inverseOut, aclTensor *countsOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnUniqueConsecutive(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
