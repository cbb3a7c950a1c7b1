#ifndef ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_H
#define ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares ThnnFusedLstmCell: The next states of a cell of long short-term memory, and its gates: those of the input, of forgetting, of the cell and of the output.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnThnnFusedLstmCellGetWorkspaceSize(const aclTensor *inputGates, const aclTensor *hiddenGates,
                                                             const aclTensor *cx, const aclTensor *inputBiasOptional,
                                                             const aclTensor *hiddenBiasOptional, aclTensor *hyOut,
                                                             aclTensor *cyOut, aclTensor *storageOut,
                                                             uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnThnnFusedLstmCell(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
