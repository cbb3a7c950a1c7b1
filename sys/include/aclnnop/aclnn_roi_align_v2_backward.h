#ifndef ACLNNOP_ACLNN_ROI_ALIGN_V2_BACKWARD_H
#define ACLNNOP_ACLNN_ROI_ALIGN_V2_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RoiAlignV2Backward. */
ACLNN_API aclnnStatus aclnnRoiAlignV2BackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *boxes,
                                                              const aclIntArray *inputShape, int64_t pooledHeight,
                                                              int64_t pooledWidth, float spatialScale,
                                                              int64_t samplingRatio, bool aligned,
                                                              aclTensor *gradInput, uint64_t *workspaceSize,
                                                              aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRoiAlignV2Backward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
