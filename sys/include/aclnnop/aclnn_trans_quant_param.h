#ifndef ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H
#define ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of `aclnnTransQuantParamGetWorkspaceSize` are not known. */

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTransQuantParam(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
