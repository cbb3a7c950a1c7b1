#ifndef ACLNNOP_ACLNN_BIDIRECTION_LSTMV2_H
#define ACLNNOP_ACLNN_BIDIRECTION_LSTMV2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares BidirectionLSTMV2. */
ACLNN_API aclnnStatus aclnnBidirectionLSTMV2GetWorkspaceSize(const aclTensor *x, const aclTensor *initH,
                                                             const aclTensor *initC, const aclTensor *wIh,
                                                             const aclTensor *wHh, const aclTensor *bIhOptional,
                                                             const aclTensor *bHhOptional,
                                                             const aclTensor *wIhReverseOptional,
                                                             const aclTensor *wHhReverseOptional,
                                                             const aclTensor *bIhReverseOptional,
                                                             const aclTensor *bHhReverseOptional,
                                                             const aclTensor *batchSizeOptional, int64_t numLayers,
                                                             bool isbias, bool batchFirst, bool bidirection,
                                                             bool packed, const aclTensor *yOut,
                                                             const aclTensor *outputHOut, const aclTensor *outputCOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnBidirectionLSTMV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
