#ifndef ACLNNOP_ACLNN_ADD_MAT_MAT_ELEMENTS_H
#define ACLNNOP_ACLNN_ADD_MAT_MAT_ELEMENTS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AddMatMatElements. */
ACLNN_API aclnnStatus aclnnAddMatMatElementsGetWorkspaceSize(const aclTensor *a, const aclTensor *b,
                                                             const aclTensor *c, const aclScalar *alpha,
                                                             const aclScalar *beta, aclTensor *cOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddMatMatElements(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
