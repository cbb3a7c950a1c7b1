#ifndef ACLNNOP_ACLNN_WEIGHT_QUANT_PREPROCESS_H
#define ACLNNOP_ACLNN_WEIGHT_QUANT_PREPROCESS_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares WeightQuantPreprocess. */
ACLNN_API aclnnStatus aclnnWeightQuantPreprocessGetWorkspaceSize(const aclTensor *weight, const aclTensor *weightScale,
                                                                 const aclTensor *weightOffsetOptional,
                                                                 const aclTensor *biasOptional, aclDataType xDtype,
                                                                 aclDataType xScaleDtype, int64_t kGroupSize,
                                                                 aclTensor *outWeight, aclTensor *outWeightScale,
                                                                 aclTensor *outWeightOffsetOptional,
                                                                 aclTensor *outBiasOptional, uint64_t *workspaceSize,
                                                                 aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnWeightQuantPreprocess(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
