#ifndef ACLNNOP_ACLNN_INPLACE_PARTIAL_ROTARY_MUL_H
#define ACLNNOP_ACLNN_INPLACE_PARTIAL_ROTARY_MUL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares InplacePartialRotaryMul. */
ACLNN_API aclnnStatus aclnnInplacePartialRotaryMulGetWorkspaceSize(const aclTensor *xRef, const aclTensor *cos,
                                                                   const aclTensor *sin, int64_t rotary_mode,
                                                                   const aclIntArray *partialSlice,
                                                                   uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnInplacePartialRotaryMul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
