#ifndef ACLNNOP_ACLNN_FRESNEL_SIN_H
#define ACLNNOP_ACLNN_FRESNEL_SIN_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FresnelSin. */
ACLNN_API aclnnStatus aclnnFresnelSinGetWorkspaceSize(const aclTensor *x, aclTensor *out, uint64_t *workspaceSize,
                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFresnelSin(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
