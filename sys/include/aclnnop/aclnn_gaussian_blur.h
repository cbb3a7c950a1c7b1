#ifndef ACLNNOP_ACLNN_GAUSSIAN_BLUR_H
#define ACLNNOP_ACLNN_GAUSSIAN_BLUR_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GaussianBlur. */
ACLNN_API aclnnStatus aclnnGaussianBlurGetWorkspaceSize(const aclTensor *src, const aclIntArray *ksize, double sigmaX,
                                                        double sigmaY, int64_t borderType, const aclTensor *dst,
                                                        uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGaussianBlur(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
