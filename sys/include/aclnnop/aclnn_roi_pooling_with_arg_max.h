#ifndef ACLNNOP_ACLNN_ROI_POOLING_WITH_ARG_MAX_H
#define ACLNNOP_ACLNN_ROI_POOLING_WITH_ARG_MAX_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RoiPoolingWithArgMax. */
ACLNN_API aclnnStatus aclnnRoiPoolingWithArgMaxGetWorkspaceSize(const aclTensor *x, const aclTensor *rois,
                                                                int64_t pooled_h, int64_t pooled_w,
                                                                float spatial_scale_h, float spatial_scale_w,
                                                                aclTensor *y, aclTensor *argmax,
                                                                uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRoiPoolingWithArgMax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
