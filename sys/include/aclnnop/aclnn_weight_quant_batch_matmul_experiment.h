#ifndef ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_EXPERIMENT_H
#define ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_EXPERIMENT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of `aclnnWeightQuantBatchMatmulExperimentGetWorkspaceSize` are not known. */

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnWeightQuantBatchMatmulExperiment(void *workspace, uint64_t workspaceSize,
                                                            aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
