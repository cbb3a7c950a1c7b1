#ifndef ACLNNOP_ACLNN_SCATTER_REDUCE_H
#define ACLNNOP_ACLNN_SCATTER_REDUCE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares InplaceScatterReduce: `self` with the elements of `src` where the elements of `index` say, along `dim`, combined as `reduce` says, with or without the element that `self` holds.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnInplaceScatterReduceGetWorkspaceSize(aclTensor *selfRef, int64_t dim,
                                                                const aclTensor *index, const aclTensor *src,
                                                                int64_t reduce, bool includeSelf,
                                                                uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnInplaceScatterReduce(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                aclrtStream stream);

/**
 * Prepares ScatterReduce: `self` with the elements of `src` where the elements of `index` say, along `dim`, combined as `reduce` says, with or without the element that `self` holds.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnScatterReduceGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index,
                                                         const aclTensor *src, int64_t reduce, bool includeSelf,
                                                         aclTensor *out, uint64_t *workspaceSize,
                                                         aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnScatterReduce(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
