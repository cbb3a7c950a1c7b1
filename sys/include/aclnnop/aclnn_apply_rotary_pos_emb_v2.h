#ifndef ACLNNOP_ACLNN_APPLY_ROTARY_POS_EMB_V2_H
#define ACLNNOP_ACLNN_APPLY_ROTARY_POS_EMB_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ApplyRotaryPosEmbV2: Queries and keys, turned by angles that their positions decide.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnApplyRotaryPosEmbV2GetWorkspaceSize(aclTensor *queryRef, aclTensor *keyRef,
                                                               const aclTensor *cos, const aclTensor *sin,
                                                               int64_t layout, char *rotaryMode,
                                                               uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnApplyRotaryPosEmbV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
