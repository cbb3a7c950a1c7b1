#ifndef ACLNNOP_ACLNN_ADD_MAT_MAT_ELEMENTS_PLUS_H
#define ACLNNOP_ACLNN_ADD_MAT_MAT_ELEMENTS_PLUS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AddMatMatElementsPlus. */
ACLNN_API aclnnStatus aclnnAddMatMatElementsPlusGetWorkspaceSize(const aclTensor *c, const aclTensor *a,
                                                                 const aclTensor *b, const aclTensor *beta,
                                                                 const aclTensor *alpha, aclTensor *cOut,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddMatMatElementsPlus(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
