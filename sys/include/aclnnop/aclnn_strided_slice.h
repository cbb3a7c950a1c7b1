#ifndef ACLNNOP_ACLNN_STRIDED_SLICE_H
#define ACLNNOP_ACLNN_STRIDED_SLICE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares StridedSlice: Indices from `begin` to `end` of each axis, with masks as in TensorFlow.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnStridedSliceGetWorkspaceSize(const aclTensor *self, const aclIntArray *begin,
                                                        const aclIntArray *end, const aclIntArray *strides,
                                                        int64_t beginMask, int64_t endMask, int64_t ellipsisMask,
                                                        int64_t newAxisMask, int64_t shrinkAxisMask, aclTensor *out,
                                                        uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnStridedSlice(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
