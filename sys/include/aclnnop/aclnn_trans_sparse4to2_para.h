#ifndef ACLNNOP_ACLNN_TRANS_SPARSE4TO2_PARA_H
#define ACLNNOP_ACLNN_TRANS_SPARSE4TO2_PARA_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of `aclnnTransSparse4to2ParaGetWorkspaceSize` are not known. */

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTransSparse4to2Para(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
