#ifndef ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H
#define ACLNNOP_ACLNN_DEQUANT_ROPE_QUANT_KVCACHE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DequantRopeQuantKvcache. */
ACLNN_API aclnnStatus aclnnDequantRopeQuantKvcacheGetWorkspaceSize(const aclTensor *x, const aclTensor *cos,
                                                                   const aclTensor *sin, aclTensor *kCacheRef,
                                                                   aclTensor *vCacheRef, const aclTensor *indices,
                                                                   const aclTensor *scaleK, const aclTensor *scaleV,
                                                                   const aclTensor *offsetKOptional,
                                                                   const aclTensor *offsetVOptional,
                                                                   const aclTensor *weightScaleOptional,
                                                                   const aclTensor *activationScaleOptional,
                                                                   const aclTensor *biasOptional,
                                                                   const aclIntArray *sizeSplits,
                                                                   char *quantModeOptional, char *layoutOptional,
                                                                   bool kvOutput, char *cacheModeOptional,
                                                                   const aclTensor *qOut, const aclTensor *kOut,
                                                                   const aclTensor *vOut, uint64_t *workspaceSize,
                                                                   aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDequantRopeQuantKvcache(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
