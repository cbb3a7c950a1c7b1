#ifndef ACLNNOP_ACLNN_SILENT_CHECK_V2_H
#define ACLNNOP_ACLNN_SILENT_CHECK_V2_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SilentCheckV2. */
ACLNN_API aclnnStatus aclnnSilentCheckV2GetWorkspaceSize(const aclTensor *val, const aclTensor *max, aclTensor *avgRef,
                                                         aclTensor *inputGradRef, aclTensor *stepRef,
                                                         aclIntArray *dstSize, aclIntArray *dstStride,
                                                         aclIntArray *dstOffset, float cThreshL1, float cThreshL2,
                                                         float beta1, int32_t npuAsdDetect, aclTensor *result,
                                                         uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSilentCheckV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
