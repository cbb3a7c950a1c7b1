#ifndef ACLNNOP_ACLNN_ROTATE_QUANT_H
#define ACLNNOP_ACLNN_ROTATE_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares RotateQuant. */
ACLNN_API aclnnStatus aclnnRotateQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *rotation,
                                                       const aclTensor *alpha, int64_t axis, char *roundMode,
                                                       int64_t scaleAlg, double dstTypeMax, bool trans,
                                                       aclTensor *yOut, aclTensor *scaleOut, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnRotateQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
