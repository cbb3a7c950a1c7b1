#ifndef ACLNNOP_ACLNN_FLASH_ATTENTION_SCORE_H
#define ACLNNOP_ACLNN_FLASH_ATTENTION_SCORE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares FlashAttentionScore: The values of keys, weighted by how well these keys match each query, with what their gradients need.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFlashAttentionScoreGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                               const aclTensor *value,
                                                               const aclTensor *realShiftOptional,
                                                               const aclTensor *dropMaskOptional,
                                                               const aclTensor *paddingMaskOptional,
                                                               const aclTensor *attenMaskOptional,
                                                               const aclIntArray *prefixOptional, double scaleValue,
                                                               double keepProb, int64_t preTokens, int64_t nextTokens,
                                                               int64_t headNum, char *inputLayout,
                                                               int64_t innerPrecise, int64_t sparseMode,
                                                               const aclTensor *softmaxMaxOut,
                                                               const aclTensor *softmaxSumOut,
                                                               const aclTensor *softmaxOutOut,
                                                               const aclTensor *attentionOutOut,
                                                               uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionScore(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               aclrtStream stream);

/**
 * Prepares FlashAttentionScoreV2: The values of keys, weighted by how well these keys match each query, with what their gradients need.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV2GetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                 const aclTensor *value,
                                                                 const aclTensor *realShiftOptional,
                                                                 const aclTensor *dropMaskOptional,
                                                                 const aclTensor *paddingMaskOptional,
                                                                 const aclTensor *attenMaskOptional,
                                                                 const aclIntArray *prefixOptional,
                                                                 const aclIntArray *qStartIdxOptional,
                                                                 const aclIntArray *kvStartIdxOptional,
                                                                 double scaleValue, double keepProb, int64_t preTokens,
                                                                 int64_t nextTokens, int64_t headNum,
                                                                 char *inputLayout, int64_t innerPrecise,
                                                                 int64_t sparseMode, int64_t pseType,
                                                                 const aclTensor *softmaxMaxOut,
                                                                 const aclTensor *softmaxSumOut,
                                                                 const aclTensor *softmaxOutOut,
                                                                 const aclTensor *attentionOutOut,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

/**
 * Prepares FlashAttentionScoreV3: The values of keys, weighted by how well these keys match each query, with what their gradients need.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV3GetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                 const aclTensor *value,
                                                                 const aclTensor *realShiftOptional,
                                                                 const aclTensor *dropMaskOptional,
                                                                 const aclTensor *paddingMaskOptional,
                                                                 const aclTensor *attenMaskOptional,
                                                                 const aclTensor *sinkOptional,
                                                                 const aclIntArray *prefixOptional,
                                                                 const aclIntArray *qStartIdxOptional,
                                                                 const aclIntArray *kvStartIdxOptional,
                                                                 double scaleValue, double keepProb, int64_t preTokens,
                                                                 int64_t nextTokens, int64_t headNum,
                                                                 char *inputLayout, int64_t innerPrecise,
                                                                 int64_t sparseMode, int64_t pseType,
                                                                 const aclTensor *softmaxMaxOut,
                                                                 const aclTensor *softmaxSumOut,
                                                                 const aclTensor *softmaxOutOut,
                                                                 const aclTensor *attentionOutOut,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

/** Prepares FlashAttentionScoreV4. */
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV4GetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                 const aclTensor *value,
                                                                 const aclTensor *realShiftOptional,
                                                                 const aclTensor *dropMaskOptional,
                                                                 const aclTensor *paddingMaskOptional,
                                                                 const aclTensor *attenMaskOptional,
                                                                 const aclTensor *queryRopeOptional,
                                                                 const aclTensor *keyRopeOptional,
                                                                 const aclTensor *dScaleQOptional,
                                                                 const aclTensor *dScaleKOptional,
                                                                 const aclTensor *dScaleVOptional,
                                                                 const aclTensor *sinkOptional,
                                                                 const aclIntArray *prefixOptional,
                                                                 const aclIntArray *actualSeqQLenOptional,
                                                                 const aclIntArray *actualSeqKvLenOptional,
                                                                 const aclIntArray *qStartIdxOptional,
                                                                 const aclIntArray *kvStartIdxOptional,
                                                                 double scaleValue, double keepProb, int64_t preTokens,
                                                                 int64_t nextTokens, int64_t headNum,
                                                                 char *inputLayout, int64_t innerPrecise,
                                                                 int64_t sparseMode, int64_t outDtype, int64_t pseType,
                                                                 char *softmaxOutLayout, int64_t seed, int64_t offset,
                                                                 const aclTensor *softmaxMaxOut,
                                                                 const aclTensor *softmaxSumOut,
                                                                 const aclTensor *softmaxOutOut,
                                                                 const aclTensor *attentionOutOut,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionScoreV4(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

/**
 * Prepares FlashAttentionVarLenScore: The values of keys, weighted by how well these keys match each query, with what their gradients need.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                     const aclTensor *value,
                                                                     const aclTensor *realShiftOptional,
                                                                     const aclTensor *dropMaskOptional,
                                                                     const aclTensor *paddingMaskOptional,
                                                                     const aclTensor *attenMaskOptional,
                                                                     const aclIntArray *prefixOptional,
                                                                     const aclIntArray *actualSeqQLenOptional,
                                                                     const aclIntArray *actualSeqKvLenOptional,
                                                                     double scaleValue, double keepProb,
                                                                     int64_t preTokens, int64_t nextTokens,
                                                                     int64_t headNum, char *inputLayout,
                                                                     int64_t innerPrecise, int64_t sparseMode,
                                                                     const aclTensor *softmaxMaxOut,
                                                                     const aclTensor *softmaxSumOut,
                                                                     const aclTensor *softmaxOutOut,
                                                                     const aclTensor *attentionOutOut,
                                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScore(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                     aclrtStream stream);

/**
 * Prepares FlashAttentionVarLenScoreV2: The values of keys, weighted by how well these keys match each query, with what their gradients need.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                       const aclTensor *value,
                                                                       const aclTensor *realShiftOptional,
                                                                       const aclTensor *dropMaskOptional,
                                                                       const aclTensor *paddingMaskOptional,
                                                                       const aclTensor *attenMaskOptional,
                                                                       const aclIntArray *prefixOptional,
                                                                       const aclIntArray *actualSeqQLenOptional,
                                                                       const aclIntArray *actualSeqKvLenOptional,
                                                                       const aclIntArray *qStartIdxOptional,
                                                                       const aclIntArray *kvStartIdxOptional,
                                                                       double scaleValue, double keepProb,
                                                                       int64_t preTokens, int64_t nextTokens,
                                                                       int64_t headNum, char *inputLayout,
                                                                       int64_t innerPrecise, int64_t sparseMode,
                                                                       int64_t pseType, const aclTensor *softmaxMaxOut,
                                                                       const aclTensor *softmaxSumOut,
                                                                       const aclTensor *softmaxOutOut,
                                                                       const aclTensor *attentionOutOut,
                                                                       uint64_t *workspaceSize,
                                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV2(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

/** Prepares FlashAttentionVarLenScoreV3. */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV3GetWorkspaceSize(const aclTensor *query,
                                                                       const aclTensor *queryRope,
                                                                       const aclTensor *key, const aclTensor *keyRope,
                                                                       const aclTensor *value,
                                                                       const aclTensor *realShiftOptional,
                                                                       const aclTensor *dropMaskOptional,
                                                                       const aclTensor *paddingMaskOptional,
                                                                       const aclTensor *attenMaskOptional,
                                                                       const aclIntArray *prefixOptional,
                                                                       const aclIntArray *actualSeqQLenOptional,
                                                                       const aclIntArray *actualSeqKvLenOptional,
                                                                       const aclIntArray *qStartIdxOptional,
                                                                       const aclIntArray *kvStartIdxOptional,
                                                                       double scaleValue, double keepProb,
                                                                       int64_t preTokens, int64_t nextTokens,
                                                                       int64_t headNum, char *inputLayout,
                                                                       int64_t innerPrecise, int64_t sparseMode,
                                                                       int64_t pseType, const aclTensor *softmaxMaxOut,
                                                                       const aclTensor *softmaxSumOut,
                                                                       const aclTensor *softmaxOutOut,
                                                                       const aclTensor *attentionOutOut,
                                                                       uint64_t *workspaceSize,
                                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV3(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

/**
 * Prepares FlashAttentionVarLenScoreV4: The values of keys, weighted by how well these keys match each query, with what their gradients need.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV4GetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                       const aclTensor *value,
                                                                       const aclTensor *realShiftOptional,
                                                                       const aclTensor *dropMaskOptional,
                                                                       const aclTensor *paddingMaskOptional,
                                                                       const aclTensor *attenMaskOptional,
                                                                       const aclIntArray *prefixOptional,
                                                                       const aclIntArray *actualSeqQLenOptional,
                                                                       const aclIntArray *actualSeqKvLenOptional,
                                                                       double scaleValue, double keepProb,
                                                                       int64_t preTokens, int64_t nextTokens,
                                                                       int64_t headNum, char *inputLayout,
                                                                       int64_t innerPrecise, int64_t sparseMode,
                                                                       char *softmaxOutLayout,
                                                                       const aclTensor *softmaxMaxOut,
                                                                       const aclTensor *softmaxSumOut,
                                                                       const aclTensor *softmaxOutOut,
                                                                       const aclTensor *attentionOutOut,
                                                                       uint64_t *workspaceSize,
                                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV4(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

/**
 * Prepares FlashAttentionVarLenScoreV5: The values of keys, weighted by how well these keys match each query, with what their gradients need.
 * @param workspaceSize receives the bytes of device memory that the launch needs
 * @param executor receives the prepared call; untouched on failure
 */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV5GetWorkspaceSize(const aclTensor *query,
                                                                       const aclTensor *queryRope,
                                                                       const aclTensor *key, const aclTensor *keyRope,
                                                                       const aclTensor *value,
                                                                       const aclTensor *realShiftOptional,
                                                                       const aclTensor *dropMaskOptional,
                                                                       const aclTensor *paddingMaskOptional,
                                                                       const aclTensor *attenMaskOptional,
                                                                       const aclTensor *sinkOptional,
                                                                       const aclIntArray *prefixOptional,
                                                                       const aclIntArray *actualSeqQLenOptional,
                                                                       const aclIntArray *actualSeqKvLenOptional,
                                                                       const aclIntArray *qStartIdxOptional,
                                                                       const aclIntArray *kvStartIdxOptional,
                                                                       double scaleValue, double keepProb,
                                                                       int64_t preTokens, int64_t nextTokens,
                                                                       int64_t headNum, char *inputLayout,
                                                                       int64_t innerPrecise, int64_t sparseMode,
                                                                       int64_t pseType, char *softmaxOutLayout,
                                                                       const aclTensor *softmaxMaxOut,
                                                                       const aclTensor *softmaxSumOut,
                                                                       const aclTensor *softmaxOutOut,
                                                                       const aclTensor *attentionOutOut,
                                                                       uint64_t *workspaceSize,
                                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV5(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

/** A single function, without a launch. */
ACLNN_API aclnnStatus aclnnFlashAttentionVarLenScoreV5GetMaxWorkspaceSize(const aclTensor *query,
                                                                          const aclTensor *queryRope,
                                                                          const aclTensor *key,
                                                                          const aclTensor *keyRope,
                                                                          const aclTensor *value,
                                                                          const aclTensor *realShiftOptional,
                                                                          const aclTensor *dropMaskOptional,
                                                                          const aclTensor *paddingMaskOptional,
                                                                          const aclTensor *attenMaskOptional,
                                                                          const aclTensor *sinkOptional,
                                                                          const aclIntArray *prefixOptional,
                                                                          const aclIntArray *actualSeqQLenOptional,
                                                                          const aclIntArray *actualSeqKvLenOptional,
                                                                          const aclIntArray *qStartIdxOptional,
                                                                          const aclIntArray *kvStartIdxOptional,
                                                                          double scaleValue, double keepProb,
                                                                          int64_t preTokens, int64_t nextTokens,
                                                                          int64_t headNum, char *inputLayout,
                                                                          int64_t innerPrecise, int64_t sparseMode,
                                                                          int64_t pseType, char *softmaxOutLayout,
                                                                          const aclTensor *softmaxMaxOut,
                                                                          const aclTensor *softmaxSumOut,
                                                                          const aclTensor *softmaxOutOut,
                                                                          const aclTensor *attentionOutOut,
                                                                          uint64_t *workspaceSize,
                                                                          aclOpExecutor **executor);

/** Prepares QuantFlashAttentionScore. */
ACLNN_API aclnnStatus aclnnQuantFlashAttentionScoreGetWorkspaceSize(const aclTensor *query, const aclTensor *key,
                                                                    const aclTensor *value,
                                                                    const aclTensor *attenMaskOptional,
                                                                    const aclTensor *dScaleQ, const aclTensor *dScaleK,
                                                                    const aclTensor *dScaleV, const aclTensor *pScale,
                                                                    double scaleValue, int64_t preTokens,
                                                                    int64_t nextTokens, int64_t headNum,
                                                                    char *inputLayout, int64_t sparseMode,
                                                                    aclTensor *softmaxMaxOut, aclTensor *softmaxSumOut,
                                                                    aclTensor *softmaxOutout,
                                                                    aclTensor *attentionOutOut,
                                                                    uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnQuantFlashAttentionScore(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
