#ifndef ACLNNOP_ACLNN_DATA_FORMAT_DIM_MAP_H
#define ACLNNOP_ACLNN_DATA_FORMAT_DIM_MAP_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares DataFormatDimMap. */
ACLNN_API aclnnStatus aclnnDataFormatDimMapGetWorkspaceSize(const aclTensor *x, const char *srcFormat,
                                                            const char *dstFormat, const aclTensor *y,
                                                            uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnDataFormatDimMap(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
