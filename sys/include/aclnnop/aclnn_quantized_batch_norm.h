#ifndef ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H
#define ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantizedBatchNorm. */
ACLNN_API aclnnStatus aclnnQuantizedBatchNormGetWorkspaceSize(const aclTensor *input, const aclTensor *mean,
                                                              const aclTensor *var, const aclScalar *inputScale,
                                                              const aclScalar *inputZeroPoint,
                                                              const aclScalar *outputScale,
                                                              const aclScalar *outputZeroPoint, aclTensor *weight,
                                                              aclTensor *bias, float epsilon, aclTensor *output,
                                                              uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantizedBatchNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
