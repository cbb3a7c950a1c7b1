#ifndef ACLNNOP_ACLNN_ADD_LORA_H
#define ACLNNOP_ACLNN_ADD_LORA_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AddLora. */
ACLNN_API aclnnStatus aclnnAddLoraGetWorkspaceSize(const aclTensor *y, const aclTensor *x, const aclTensor *weightB,
                                                   const aclTensor *indices, const aclTensor *weightAOptional,
                                                   int64_t layerIdx, double scale, int64_t yOffset, int64_t ySliceSize,
                                                   const aclTensor *out, uint64_t *workspaceSize,
                                                   aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddLora(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
