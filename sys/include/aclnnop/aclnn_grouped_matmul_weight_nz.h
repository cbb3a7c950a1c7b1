#ifndef ACLNNOP_ACLNN_GROUPED_MATMUL_WEIGHT_NZ_H
#define ACLNNOP_ACLNN_GROUPED_MATMUL_WEIGHT_NZ_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares GroupedMatmulWeightNz: The products of groups of rows, or of columns, each with a matrix of its own.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnGroupedMatmulWeightNzGetWorkspaceSize(const aclTensorList *x, const aclTensorList *weight,
                                                                 const aclTensorList *biasOptional,
                                                                 const aclTensorList *scaleOptional,
                                                                 const aclTensorList *offsetOptional,
                                                                 const aclTensorList *antiquantScaleOptional,
                                                                 const aclTensorList *antiquantOffsetOptional,
                                                                 const aclTensorList *perTokenScaleOptional,
                                                                 const aclTensor *groupListOptional,
                                                                 const aclTensorList *activationInputOptional,
                                                                 const aclTensorList *activationQuantScaleOptional,
                                                                 const aclTensorList *activationQuantOffsetOptional,
                                                                 int64_t splitItem, int64_t groupType,
                                                                 int64_t groupListType, int64_t actType,
                                                                 aclIntArray *tuningConfigOptional,
                                                                 int64_t quantGroupSize, aclTensorList *out,
                                                                 aclTensorList *activationFeatureOutOptional,
                                                                 aclTensorList *dynQuantScaleOutOptional,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnGroupedMatmulWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
