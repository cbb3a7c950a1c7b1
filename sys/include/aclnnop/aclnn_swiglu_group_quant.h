#ifndef ACLNNOP_ACLNN_SWIGLU_GROUP_QUANT_H
#define ACLNNOP_ACLNN_SWIGLU_GROUP_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SwigluGroupQuant. */
ACLNN_API aclnnStatus aclnnSwigluGroupQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *weightOptional,
                                                            const aclTensor *groupIndexOptional,
                                                            const aclTensor *scaleOptional, int64_t dstType,
                                                            int64_t quantMode, int64_t blockSize, bool roundScale,
                                                            double clampLimit, double dstTypeMax, bool outputOrigin,
                                                            const aclTensor *yOut, const aclTensor *yScaleOut,
                                                            const aclTensor *yOriginOut, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSwigluGroupQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
