#ifndef ACLNNOP_ACLNN_BATCH_NORM_GATHER_STATS_WITH_COUNTS_H
#define ACLNNOP_ACLNN_BATCH_NORM_GATHER_STATS_WITH_COUNTS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares BatchNormGatherStatsWithCounts: The mean and the spread of each channel by those of parts of a batch, as PyTorch's function of this name has them.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(const aclTensor *input,
                                                                          const aclTensor *mean,
                                                                          const aclTensor *invstd,
                                                                          aclTensor *runningMean,
                                                                          aclTensor *runningVar, double momentum,
                                                                          double eps, const aclTensor *counts,
                                                                          aclTensor *meanAll, aclTensor *invstdAll,
                                                                          uint64_t *workspaceSize,
                                                                          aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnBatchNormGatherStatsWithCounts(void *workspace, uint64_t workspaceSize,
                                                          aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
