#ifndef ACLNNOP_ACLNN_BANDWIDTH_TEST_H
#define ACLNNOP_ACLNN_BANDWIDTH_TEST_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares BandwidthTest. */
ACLNN_API aclnnStatus aclnnBandwidthTestGetWorkspaceSize(const aclTensor *x, const aclTensor *dstRankId, char *group,
                                                         int64_t worldSize, int64_t maxBs, int64_t mode, char *commAlg,
                                                         int64_t aivNum, aclTensor *y, aclTensor *receiveCnt,
                                                         uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnBandwidthTest(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
