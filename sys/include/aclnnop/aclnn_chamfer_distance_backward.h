#ifndef ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H
#define ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ChamferDistanceBackward. */
ACLNN_API aclnnStatus aclnnChamferDistanceBackwardGetWorkspaceSize(const aclTensor *xyz1, const aclTensor *xyz2,
                                                                   const aclTensor *idx1, const aclTensor *idx2,
                                                                   const aclTensor *gradDist1,
                                                                   const aclTensor *gradDist2, aclTensor *gradXyz1,
                                                                   aclTensor *gradXyz2, uint64_t *workspaceSize,
                                                                   aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnChamferDistanceBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
