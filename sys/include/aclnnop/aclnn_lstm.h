#ifndef ACLNNOP_ACLNN_LSTM_H
#define ACLNNOP_ACLNN_LSTM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares LSTM. */
ACLNN_API aclnnStatus aclnnLSTMGetWorkspaceSize(const aclTensor *input, const aclTensorList *params,
                                                const aclTensorList *hx, const aclTensor *batchSizes, bool hasBias,
                                                int64_t numLayers, double dropout, bool train, bool bidirectional,
                                                bool batchFirst, aclTensor *output, aclTensor *hy, aclTensor *cy,
                                                aclTensorList *iOut, aclTensorList *jOut, aclTensorList *fOut,
                                                aclTensorList *oOut, aclTensorList *hOut, aclTensorList *cOut,
                                                aclTensorList *tanhCOut, uint64_t *workspaceSize,
                                                aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnLSTM(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
