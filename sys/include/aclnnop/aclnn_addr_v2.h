#ifndef ACLNNOP_ACLNN_ADDR_V2_H
#define ACLNNOP_ACLNN_ADDR_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares AddrV2. */
ACLNN_API aclnnStatus aclnnAddrV2GetWorkspaceSize(const aclTensor *self, const aclTensor *vec1, const aclTensor *vec2,
                                                  const aclScalar *betaOptional, const aclScalar *alphaOptional,
                                                  aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnAddrV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

/** Prepares InplaceAddrV2. */
ACLNN_API aclnnStatus aclnnInplaceAddrV2GetWorkspaceSize(aclTensor *selfRef, const aclTensor *vec1,
                                                         const aclTensor *vec2, const aclScalar *betaOptional,
                                                         const aclScalar *alphaOptional, uint64_t *workspaceSize,
                                                         aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnInplaceAddrV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
