#ifndef ACLNNOP_ACLNN_SILENT_CHECK_H
#define ACLNNOP_ACLNN_SILENT_CHECK_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SilentCheck. */
ACLNN_API aclnnStatus aclnnSilentCheckGetWorkspaceSize(const aclTensor *val, aclTensor *inputGradRef,
                                                       aclTensor *sfdaRef, aclTensor *stepRef, int32_t cMinSteps,
                                                       float cThreshL1, float cCoeffL1, float cThreshL2,
                                                       float cCoeffL2, int32_t npuAsdDetect, aclTensor *result,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSilentCheck(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
