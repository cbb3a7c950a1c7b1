#ifndef ACLNNOP_ACLNN_NON_MAX_SUPPRESSION_H
#define ACLNNOP_ACLNN_NON_MAX_SUPPRESSION_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares NonMaxSuppression. */
ACLNN_API aclnnStatus aclnnNonMaxSuppressionGetWorkspaceSize(const aclTensor *boxes, const aclTensor *scores,
                                                             aclIntArray *maxOutputBoxesPerClass,
                                                             aclFloatArray *iouThreshold,
                                                             aclFloatArray *scoreThreshold, int32_t centerPointBox,
                                                             aclTensor *selectedIndices, uint64_t *workspaceSize,
                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnNonMaxSuppression(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
