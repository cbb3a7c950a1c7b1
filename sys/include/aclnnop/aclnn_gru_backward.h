#ifndef ACLNNOP_ACLNN_GRU_BACKWARD_H
#define ACLNNOP_ACLNN_GRU_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GRUBackward. */
ACLNN_API aclnnStatus aclnnGRUBackwardGetWorkspaceSize(const aclTensor *input, const aclTensorList *params,
                                                       const aclTensor *hx, const aclTensor *dy, const aclTensor *dh,
                                                       const aclTensorList *r, const aclTensorList *z,
                                                       const aclTensorList *n, const aclTensorList *hn,
                                                       const aclTensorList *h, const aclTensor *batchSizes,
                                                       bool hasBias, int64_t numLayers, bool bidirection,
                                                       bool batchFirst, aclTensor *dxOut, aclTensor *dhPrevOut,
                                                       aclTensorList *dparamsOut, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGRUBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
