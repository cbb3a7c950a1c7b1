#ifndef ACLNNOP_ACLNN_TRANS_CONVOLUTION_WEIGHT_H
#define ACLNNOP_ACLNN_TRANS_CONVOLUTION_WEIGHT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of `aclnnCalculateConvolutionWeightSize`, a single function without a launch, are not known. */

/** Prepares TransConvolutionWeight. */
ACLNN_API aclnnStatus aclnnTransConvolutionWeightGetWorkspaceSize(const aclTensor *weightIn, bool transposed,
                                                                  int64_t groups, aclTensor *weightOut,
                                                                  uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTransConvolutionWeight(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
