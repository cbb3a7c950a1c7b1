#ifndef ACLNNOP_ACLNN_NSA_COMPRESS_GRAD_H
#define ACLNNOP_ACLNN_NSA_COMPRESS_GRAD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares NsaCompressGrad. */
ACLNN_API aclnnStatus aclnnNsaCompressGradGetWorkspaceSize(const aclTensor *outputGrad, const aclTensor *input,
                                                           const aclTensor *weight,
                                                           const aclIntArray *actSeqLenOptionalOptional,
                                                           int64_t compressBlockSize, int64_t compressStride,
                                                           int64_t actSeqLenType, char *layoutOptionalOptional,
                                                           const aclTensor *inputGradOut,
                                                           const aclTensor *weightGradOut, uint64_t *workspaceSize,
                                                           aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnNsaCompressGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
