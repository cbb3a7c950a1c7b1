#ifndef ACLNNOP_ACLNN_MOE_RE_ROUTING_H
#define ACLNNOP_ACLNN_MOE_RE_ROUTING_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of `aclnnMoeReRoutingGetWorkspaceSize` are not known. */

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeReRouting(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
