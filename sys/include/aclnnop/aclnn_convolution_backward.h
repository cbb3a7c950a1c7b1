#ifndef ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H
#define ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ConvTbcBackward: The gradients of `conv_tbc`: for its input, its weight and its bias.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnConvTbcBackwardGetWorkspaceSize(const aclTensor *self, const aclTensor *input,
                                                           const aclTensor *weight, const aclTensor *bias, int64_t pad,
                                                           int8_t cubeMathType, aclTensor *gradInput,
                                                           aclTensor *gradWeight, aclTensor *gradBias,
                                                           uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnConvTbcBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                           aclrtStream stream);

/**
 * Prepares ConvolutionBackward: The gradients of a convolution: for its input, its weight and its bias.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *input,
                                                               const aclTensor *weight, const aclIntArray *biasSizes,
                                                               const aclIntArray *stride, const aclIntArray *padding,
                                                               const aclIntArray *dilation, bool transposed,
                                                               const aclIntArray *outputPadding, int groups,
                                                               const aclBoolArray *outputMask, int8_t cubeMathType,
                                                               aclTensor *gradInput, aclTensor *gradWeight,
                                                               aclTensor *gradBias, uint64_t *workspaceSize,
                                                               aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnConvolutionBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

/** Prepares DeformableConv2dBackward. */
ACLNN_API aclnnStatus aclnnDeformableConv2dBackwardGetWorkspaceSize(const aclTensor *input,
                                                                    const aclTensor *gradOutput,
                                                                    const aclTensor *offsetOut,
                                                                    const aclTensor *weight, const aclTensor *offset,
                                                                    const aclIntArray *kernelSize,
                                                                    const aclIntArray *stride,
                                                                    const aclIntArray *padding,
                                                                    const aclIntArray *dilation, int64_t groups,
                                                                    int64_t deformableGroups, bool modulated,
                                                                    aclTensor *gradInput, aclTensor *gradWeight,
                                                                    aclTensor *gradOffset, aclTensor *gradBias,
                                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDeformableConv2dBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
