#ifndef ACLNNOP_ACLNN_FOREACH_ERFC_H
#define ACLNNOP_ACLNN_FOREACH_ERFC_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ForeachErfc: 1 − the error function of each element.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnForeachErfcGetWorkspaceSize(const aclTensorList *x, aclTensorList *out,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnForeachErfc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
