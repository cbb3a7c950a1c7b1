#ifndef ACLNNOP_ACLNN_MOE_FUSED_TOPK_H
#define ACLNNOP_ACLNN_MOE_FUSED_TOPK_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MoeFusedTopk. */
ACLNN_API aclnnStatus aclnnMoeFusedTopkGetWorkspaceSize(const aclTensor *x, const aclTensor *addNum,
                                                        const aclTensor *mappingNum, const aclTensor *mappingTable,
                                                        uint32_t groupNum, uint32_t groupTopk, uint32_t topN,
                                                        uint32_t topK, uint32_t activateType, bool isNorm, float scale,
                                                        bool enableExpertMapping, aclTensor *y, aclTensor *indices,
                                                        uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMoeFusedTopk(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
