#ifndef ACLNNOP_ACLNN_FLAT_QUANT_V3_H
#define ACLNNOP_ACLNN_FLAT_QUANT_V3_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FlatQuantV3. */
ACLNN_API aclnnStatus aclnnFlatQuantV3GetWorkspaceSize(const aclTensor *x, const aclTensor *kroneckerP1,
                                                       const aclTensor *kroneckerP2,
                                                       const aclTensor *groupListOptional, double clipRatio,
                                                       double dstTypeMax, int64_t groupListType, aclTensor *out,
                                                       aclTensor *quantScale, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlatQuantV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
