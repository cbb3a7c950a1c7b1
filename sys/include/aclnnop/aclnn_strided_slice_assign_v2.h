#ifndef ACLNNOP_ACLNN_STRIDED_SLICE_ASSIGN_V2_H
#define ACLNNOP_ACLNN_STRIDED_SLICE_ASSIGN_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares StridedSliceAssignV2. */
ACLNN_API aclnnStatus aclnnStridedSliceAssignV2GetWorkspaceSize(aclTensor *varRef, const aclTensor *inputValue,
                                                                const aclIntArray *begin, const aclIntArray *end,
                                                                const aclIntArray *strides,
                                                                const aclIntArray *axesOptional,
                                                                uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnStridedSliceAssignV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
