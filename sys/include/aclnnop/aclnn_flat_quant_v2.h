#ifndef ACLNNOP_ACLNN_FLAT_QUANT_V2_H
#define ACLNNOP_ACLNN_FLAT_QUANT_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares FlatQuantV2. */
ACLNN_API aclnnStatus aclnnFlatQuantV2GetWorkspaceSize(const aclTensor *x, const aclTensor *kroneckerP1,
                                                       const aclTensor *kroneckerP2, double clipRatio,
                                                       double dstTypeMax, aclTensor *out, aclTensor *quantScale,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlatQuantV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
