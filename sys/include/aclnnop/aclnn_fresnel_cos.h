#ifndef ACLNNOP_ACLNN_FRESNEL_COS_H
#define ACLNNOP_ACLNN_FRESNEL_COS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FresnelCos. */
ACLNN_API aclnnStatus aclnnFresnelCosGetWorkspaceSize(const aclTensor *x, aclTensor *out, uint64_t *workspaceSize,
                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFresnelCos(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
