#ifndef ACLNNOP_ACLNN_DEQUANT_SITU_QUANT_H
#define ACLNNOP_ACLNN_DEQUANT_SITU_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DequantSituQuant. */
ACLNN_API aclnnStatus aclnnDequantSituQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *weightScaleOptional,
                                                            const aclTensor *activationScaleOptional,
                                                            const aclTensor *biasOptional,
                                                            const aclTensor *quantScaleOptional,
                                                            const aclTensor *quantOffsetOptional,
                                                            const aclTensor *groupIndexOptional, float beta,
                                                            float linearBeta, bool activateLeft,
                                                            char *quantTypeOptional, const aclTensor *yOut,
                                                            const aclTensor *yScaleOut, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDequantSituQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
