#ifndef ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H
#define ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A single function, without a launch. */
ACLNN_API aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray *shape, uint64_t *size);

/** A single function, without a launch. */
ACLNN_API aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray *shape, aclDataType dtype, uint64_t *size);

/**
 * Prepares TransMatmulWeight: A weight in the layout that products of matrices like best.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnTransMatmulWeightGetWorkspaceSize(aclTensor *mmWeightRef, uint64_t *workspaceSize,
                                                             aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnTransMatmulWeight(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
