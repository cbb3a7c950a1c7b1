#ifndef ACLNNOP_ACLNN_ROI_POOLING_GRAD_WITH_ARG_MAX_H
#define ACLNNOP_ACLNN_ROI_POOLING_GRAD_WITH_ARG_MAX_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RoiPoolingGradWithArgMax. */
ACLNN_API aclnnStatus aclnnRoiPoolingGradWithArgMaxGetWorkspaceSize(const aclTensor *gradOutput,
                                                                    const aclTensor *gradInputRef,
                                                                    const aclTensor *rois, const aclTensor *argmax,
                                                                    int64_t pooledH, int64_t pooledW,
                                                                    double spatialScale, uint64_t *workspaceSize,
                                                                    aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRoiPoolingGradWithArgMax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
