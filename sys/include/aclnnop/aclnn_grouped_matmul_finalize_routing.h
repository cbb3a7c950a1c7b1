#ifndef ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_H
#define ACLNNOP_ACLNN_GROUPED_MATMUL_FINALIZE_ROUTING_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares GroupedMatmulFinalizeRouting. */
ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRoutingGetWorkspaceSize(const aclTensor *x, aclTensor *w,
                                                                        const aclTensor *scaleOptional,
                                                                        const aclTensor *biasOptional,
                                                                        const aclTensor *pertokenScaleOptional,
                                                                        const aclTensor *groupListOptional,
                                                                        const aclTensor *sharedInputOptional,
                                                                        const aclTensor *logitOptional,
                                                                        const aclTensor *rowIndexOptional,
                                                                        int64_t dtype, float sharedInputWeight,
                                                                        int64_t sharedInputOffset, bool transposeX,
                                                                        bool transposeW, int64_t groupListType,
                                                                        aclTensor *y, uint64_t *workspaceSize,
                                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedMatmulFinalizeRouting(void *workspace, uint64_t workspaceSize,
                                                        aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
