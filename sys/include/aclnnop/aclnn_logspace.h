#ifndef ACLNNOP_ACLNN_LOGSPACE_H
#define ACLNNOP_ACLNN_LOGSPACE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares LogSpace: `base` to the power of `steps` numbers from `start` to exactly `end`. CANN's description has no types: those here are the floats of the others.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnLogSpaceGetWorkspaceSize(const aclScalar *start, const aclScalar *end, int64_t steps,
                                                    double base, const aclTensor *result, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnLogSpace(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
