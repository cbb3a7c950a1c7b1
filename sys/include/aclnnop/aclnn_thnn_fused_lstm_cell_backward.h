#ifndef ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_BACKWARD_H
#define ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_BACKWARD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ThnnFusedLstmCellBackward: The gradients of `lstm_cell`: for what its gates are made of, for its state and for its biases.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(const aclTensor *gradHyOptional,
                                                                     const aclTensor *gradCOptional,
                                                                     const aclTensor *cx, const aclTensor *cy,
                                                                     const aclTensor *storage, bool hasBias,
                                                                     aclTensor *gradGatesOut, aclTensor *gradCxOut,
                                                                     aclTensor *gradBiasOut, uint64_t *workspaceSize,
                                                                     aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnThnnFusedLstmCellBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
