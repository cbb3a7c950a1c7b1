#ifndef ACLNNOP_ACLNN_SPARSE_FLASH_MLA_GRAD_METADATA_H
#define ACLNNOP_ACLNN_SPARSE_FLASH_MLA_GRAD_METADATA_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SparseFlashMlaGradMetadata. */
ACLNN_API aclnnStatus aclnnSparseFlashMlaGradMetadataGetWorkspaceSize(const aclTensor *cuSeqlensQOptional,
                                                                      const aclTensor *cuSeqlensOriKvOptional,
                                                                      const aclTensor *cuSeqlensCmpKvOptional,
                                                                      const aclTensor *sequsedQOptional,
                                                                      const aclTensor *sequsedOriKvOptional,
                                                                      const aclTensor *sequsedCmpKvOptional,
                                                                      const aclTensor *cmpResidualKvOptional,
                                                                      const aclTensor *oriTopkLengthOptional,
                                                                      const aclTensor *cmpTopkLengthOptional,
                                                                      int64_t numHeadsQ, int64_t numHeadsKv,
                                                                      int64_t headDim, int64_t batchSize,
                                                                      int64_t maxSeqlenQ, int64_t maxSeqlenOriKv,
                                                                      int64_t maxSeqlenCmpKv, int64_t oriTopk,
                                                                      int64_t cmpTopk, int64_t cmpRatio,
                                                                      int64_t oriMaskMode, int64_t cmpMaskMode,
                                                                      int64_t oriWinLeft, int64_t oriWinRight,
                                                                      const char *layoutQOptional,
                                                                      const char *layoutKvOptional, bool hasOriKv,
                                                                      bool hasCmpKv, const aclTensor *metaData,
                                                                      uint64_t *workspaceSize,
                                                                      aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSparseFlashMlaGradMetadata(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
