#ifndef ACLNNOP_ACLNN_FAKE_QUANT_PER_CHANNEL_AFFINE_CACHEMASK_H
#define ACLNNOP_ACLNN_FAKE_QUANT_PER_CHANNEL_AFFINE_CACHEMASK_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares FakeQuantPerChannelAffineCachemask: Each element in whole steps within a range, and whether it was within it; a step for each index of an axis.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFakeQuantPerChannelAffineCachemaskGetWorkspaceSize(const aclTensor *self,
                                                                              const aclTensor *scale,
                                                                              const aclTensor *zeroPoint, int64_t axis,
                                                                              int64_t quantMin, int64_t quantMax,
                                                                              aclTensor *out, aclTensor *mask,
                                                                              uint64_t *workspaceSize,
                                                                              aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFakeQuantPerChannelAffineCachemask(void *workspace, uint64_t workspaceSize,
                                                              aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
