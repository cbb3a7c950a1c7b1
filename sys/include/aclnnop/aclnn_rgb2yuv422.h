#ifndef ACLNNOP_ACLNN_RGB2YUV422_H
#define ACLNNOP_ACLNN_RGB2YUV422_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares Rgb2yuv422. */
ACLNN_API aclnnStatus aclnnRgb2yuv422GetWorkspaceSize(const aclTensor *x, char *dataFormatOptional,
                                                      const aclTensor *out, uint64_t *workspaceSize,
                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRgb2yuv422(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
