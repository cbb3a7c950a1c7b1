#ifndef ACLNNOP_ACLNN_ADD_RMS_NORM_CAST_H
#define ACLNNOP_ACLNN_ADD_RMS_NORM_CAST_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AddRmsNormCast. */
ACLNN_API aclnnStatus aclnnAddRmsNormCastGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                          const aclTensor *gamma, double epsilon,
                                                          const aclTensor *y1Out, const aclTensor *y2Out,
                                                          const aclTensor *rstdOut, const aclTensor *xOut,
                                                          uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddRmsNormCast(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
