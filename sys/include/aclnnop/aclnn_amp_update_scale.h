#ifndef ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H
#define ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares AmpUpdateScale: The next scale of a loss in mixed precision: smaller after a gradient that is not finite, larger after so many that are.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnAmpUpdateScaleGetWorkspaceSize(aclTensor *currentScale, aclTensor *growthTracker,
                                                          const aclTensor *foundInf, double growthFactor,
                                                          double backoffFactor, int64_t growthInterval,
                                                          aclTensor *updatedScale, aclTensor *updatedGrowthTracker,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAmpUpdateScale(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
