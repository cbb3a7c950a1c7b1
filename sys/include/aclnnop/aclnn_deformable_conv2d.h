#ifndef ACLNNOP_ACLNN_DEFORMABLE_CONV2D_H
#define ACLNNOP_ACLNN_DEFORMABLE_CONV2D_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DeformableConv2d. */
ACLNN_API aclnnStatus aclnnDeformableConv2dGetWorkspaceSize(const aclTensor *x, const aclTensor *weight,
                                                            const aclTensor *offset, const aclTensor *biasOptional,
                                                            const aclIntArray *kernelSize, const aclIntArray *stride,
                                                            const aclIntArray *padding, const aclIntArray *dilation,
                                                            int64_t groups, int64_t deformableGroups, bool modulated,
                                                            aclTensor *out, aclTensor *deformOutOptional,
                                                            uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDeformableConv2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
