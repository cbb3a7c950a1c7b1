#ifndef ACLNNOP_ACLNN_EMBEDDING_BAG_H
#define ACLNNOP_ACLNN_EMBEDDING_BAG_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares EmbeddingBag: The rows of `weight` that `indices` numbers, joined by bags: sums, means, or the greatest elements.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnEmbeddingBagGetWorkspaceSize(const aclTensor *weight, const aclTensor *indices,
                                                        const aclTensor *offsets, bool scaleGradByFreq, int64_t mode,
                                                        bool sparse, const aclTensor *perSampleWeights,
                                                        bool includeLastOffset, int64_t paddingIdx, aclTensor *output,
                                                        aclTensor *offset2bag, aclTensor *bagSize,
                                                        aclTensor *maxIndices, uint64_t *workspaceSize,
                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnEmbeddingBag(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                        aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
