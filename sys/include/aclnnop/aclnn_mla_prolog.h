#ifndef ACLNNOP_ACLNN_MLA_PROLOG_H
#define ACLNNOP_ACLNN_MLA_PROLOG_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares MlaProlog. */
ACLNN_API aclnnStatus aclnnMlaPrologGetWorkspaceSize(const aclTensor *tokenX, const aclTensor *weightDq,
                                                     const aclTensor *weightUqQr, const aclTensor *weightUk,
                                                     const aclTensor *weightDkvKr, const aclTensor *rmsnormGammaCq,
                                                     const aclTensor *rmsnormGammaCkv, const aclTensor *ropeSin,
                                                     const aclTensor *ropeCos, const aclTensor *cacheIndex,
                                                     aclTensor *kvCacheRef, aclTensor *krCacheRef,
                                                     const aclTensor *dequantScaleXOptional,
                                                     const aclTensor *dequantScaleWDqOptional,
                                                     const aclTensor *dequantScaleWUqQrOptional,
                                                     const aclTensor *dequantScaleWDkvKrOptional,
                                                     const aclTensor *quantScaleCkvOptional,
                                                     const aclTensor *quantScaleCkrOptional,
                                                     const aclTensor *smoothScalesCqOptional, double rmsnormEpsilonCq,
                                                     double rmsnormEpsilonCkv, char *cacheModeOptional,
                                                     const aclTensor *queryOut, const aclTensor *queryRopeOut,
                                                     uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnMlaProlog(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
