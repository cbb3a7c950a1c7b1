#ifndef ACLNNOP_ACLNN_MAX_POOL3_D_H
#define ACLNNOP_ACLNN_MAX_POOL3_D_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MaxPool3D. */
ACLNN_API aclnnStatus aclnnMaxPool3DGetWorkspaceSize(const aclTensor *x, const aclIntArray *ksize,
                                                     const aclIntArray *strides, const char *padding,
                                                     const aclIntArray *padsOptional,
                                                     const aclIntArray *dilationOptional, int64_t ceilMode,
                                                     const char *dataFormatOptional, aclTensor *out,
                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMaxPool3D(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
