#ifndef ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_INPLACE_ADD_H
#define ACLNNOP_ACLNN_QUANT_GROUPED_MATMUL_INPLACE_ADD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares QuantGroupedMatmulInplaceAdd. */
ACLNN_API aclnnStatus aclnnQuantGroupedMatmulInplaceAddGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                                        const aclTensor *scale1Optional,
                                                                        const aclTensor *scale2,
                                                                        const aclTensor *groupList, aclTensor *yRef,
                                                                        int64_t groupListType, int64_t groupSize,
                                                                        uint64_t *workspaceSize,
                                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantGroupedMatmulInplaceAdd(void *workspace, uint64_t workspaceSize,
                                                        aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
