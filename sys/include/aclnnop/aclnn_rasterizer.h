#ifndef ACLNNOP_ACLNN_RASTERIZER_H
#define ACLNNOP_ACLNN_RASTERIZER_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares Rasterizer. */
ACLNN_API aclnnStatus aclnnRasterizerGetWorkspaceSize(const aclTensor *v, const aclTensor *f,
                                                      const aclTensor *dOptional, int64_t width, int64_t height,
                                                      double occlusionTruncation, int64_t useDepthPrior,
                                                      const aclTensor *findicesOut, const aclTensor *barycentricOut,
                                                      uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRasterizer(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
