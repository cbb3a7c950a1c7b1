#ifndef ACLNNOP_ACLNN_VIEW_COPY_H
#define ACLNNOP_ACLNN_VIEW_COPY_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ViewCopy. */
ACLNN_API aclnnStatus aclnnViewCopyGetWorkspaceSize(const aclTensor *dst, const aclTensor *dst_size,
                                                    const aclTensor *dst_stride, const aclTensor *dst_storage_offset,
                                                    const aclTensor *src, const aclTensor *src_size,
                                                    const aclTensor *src_stride, const aclTensor *src_storage_offset,
                                                    const aclTensor *dst_out, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnViewCopy(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
