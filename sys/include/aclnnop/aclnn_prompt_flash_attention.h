#ifndef ACLNNOP_ACLNN_PROMPT_FLASH_ATTENTION_H
#define ACLNNOP_ACLNN_PROMPT_FLASH_ATTENTION_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares PromptFlashAttention: The values of keys, weighted by how well these keys match each query, of whole prompts or of one token after the other.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnPromptFlashAttentionGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                const aclTensor *value, const aclTensor *pseShift,
                                                                const aclTensor *attenMask,
                                                                const aclIntArray *actualSeqLengths, int64_t numHeads,
                                                                double scaleValue, int64_t preTokens,
                                                                int64_t nextTokens, char *inputLayout,
                                                                int64_t numKeyValueHeads,
                                                                const aclTensor *attentionOut, uint64_t *workspaceSize,
                                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnPromptFlashAttention(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
