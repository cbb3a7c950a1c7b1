#ifndef ACLNNOP_ACLNN_RING_ATTENTION_UPDATE_H
#define ACLNNOP_ACLNN_RING_ATTENTION_UPDATE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RingAttentionUpdate. */
ACLNN_API aclnnStatus aclnnRingAttentionUpdateGetWorkspaceSize(const aclTensor *prevAttnOut,
                                                               const aclTensor *prevSoftmaxMax,
                                                               const aclTensor *prevSoftmaxSum,
                                                               const aclTensor *curAttnOut,
                                                               const aclTensor *curSoftmaxMax,
                                                               const aclTensor *curSoftmaxSum,
                                                               const aclTensor *actualSeqQlenOptional,
                                                               char *inputLayoutOptional, const aclTensor *attnOutOut,
                                                               const aclTensor *softmaxMaxOut,
                                                               const aclTensor *softmaxSumOut, uint64_t *workspaceSize,
                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRingAttentionUpdate(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

/** Prepares RingAttentionUpdateV2. */
ACLNN_API aclnnStatus aclnnRingAttentionUpdateV2GetWorkspaceSize(const aclTensor *prevAttnOut,
                                                                 const aclTensor *prevSoftmaxMax,
                                                                 const aclTensor *prevSoftmaxSum,
                                                                 const aclTensor *curAttnOut,
                                                                 const aclTensor *curSoftmaxMax,
                                                                 const aclTensor *curSoftmaxSum,
                                                                 const aclTensor *actualSeqQlenOptional,
                                                                 char *inputLayoutOptional,
                                                                 char *inputSoftmaxLayoutOptional,
                                                                 const aclTensor *attnOutOut,
                                                                 const aclTensor *softmaxMaxOut,
                                                                 const aclTensor *softmaxSumOut,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRingAttentionUpdateV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
