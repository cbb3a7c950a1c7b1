#ifndef ACLNNOP_ACLNN_QUANT_CONVOLUTION_H
#define ACLNNOP_ACLNN_QUANT_CONVOLUTION_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantConvolution. */
ACLNN_API aclnnStatus aclnnQuantConvolutionGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                                            const aclTensor *bias, const aclTensor *scale,
                                                            const aclTensor *offset, const aclIntArray *stride,
                                                            const aclIntArray *padding, const aclIntArray *dilation,
                                                            bool transposed, const aclIntArray *outputPadding,
                                                            int64_t groups, int32_t offsetx, const char *roundMode,
                                                            aclTensor *output, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantConvolution(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

/** Prepares QuantConvolutionWeightNz. */
ACLNN_API aclnnStatus aclnnQuantConvolutionWeightNzGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                                                    const aclTensor *bias, const aclTensor *scale,
                                                                    const aclTensor *offset, const aclIntArray *stride,
                                                                    const aclIntArray *padding,
                                                                    const aclIntArray *dilation, bool transposed,
                                                                    const aclIntArray *outputPadding, int64_t groups,
                                                                    int32_t offsetx, const char *roundMode,
                                                                    aclTensor *output, uint64_t *workspaceSize,
                                                                    aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantConvolutionWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
