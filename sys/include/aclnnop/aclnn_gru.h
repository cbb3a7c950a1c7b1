#ifndef ACLNNOP_ACLNN_GRU_H
#define ACLNNOP_ACLNN_GRU_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GRU. */
ACLNN_API aclnnStatus aclnnGRUGetWorkspaceSize(const aclTensor *input, const aclTensorList *params,
                                               const aclTensor *hx, const aclTensor *batchSizes, bool hasBias,
                                               int64_t numLayers, double dropout, bool train, bool bidirection,
                                               bool batchFirst, aclTensor *output, aclTensor *hy, aclTensorList *rOut,
                                               aclTensorList *zOut, aclTensorList *nOut, aclTensorList *hnOut,
                                               aclTensorList *hOut, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGRU(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
