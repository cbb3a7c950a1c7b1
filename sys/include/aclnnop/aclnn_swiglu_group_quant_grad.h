#ifndef ACLNNOP_ACLNN_SWIGLU_GROUP_QUANT_GRAD_H
#define ACLNNOP_ACLNN_SWIGLU_GROUP_QUANT_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SwigluGroupQuantGrad. */
ACLNN_API aclnnStatus aclnnSwigluGroupQuantGradGetWorkspaceSize(const aclTensor *gradY, const aclTensor *x,
                                                                const aclTensor *weightOptional,
                                                                const aclTensor *yOriginOptional,
                                                                const aclTensor *groupIndexOptional, double clampLimit,
                                                                const aclTensor *gradXOut,
                                                                const aclTensor *gradWeightOutOptional,
                                                                uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSwigluGroupQuantGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
