#ifndef ACLNNOP_ACLNN_RRELU_WITH_NOISE_H
#define ACLNNOP_ACLNN_RRELU_WITH_NOISE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares InplaceRReluWithNoise: `x` where it is positive, and otherwise `x` times a slope that is drawn from a range, or is its middle.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnInplaceRReluWithNoiseGetWorkspaceSize(const aclTensor *self, const aclTensor *noise,
                                                                 const aclScalar *lower, const aclScalar *upper,
                                                                 bool training, int64_t seed, int64_t offset,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnInplaceRReluWithNoise(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

/**
 * Prepares RReluWithNoise: `x` where it is positive, and otherwise `x` times a slope that is drawn from a range, or is its middle.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnRReluWithNoiseGetWorkspaceSize(const aclTensor *self, const aclTensor *noise,
                                                          const aclScalar *lower, const aclScalar *upper,
                                                          bool training, int64_t seed, int64_t offset, aclTensor *out,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRReluWithNoise(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
