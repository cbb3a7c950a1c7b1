#ifndef ACLNNOP_ACLNN_FLASH_ATTENTION_VAR_LEN_SCORE_V5_H
#define ACLNNOP_ACLNN_FLASH_ATTENTION_VAR_LEN_SCORE_V5_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of `aclnnFlashAttentionVarLenScoreV5GetWorkspaceSize` are not known. */

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV5(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
