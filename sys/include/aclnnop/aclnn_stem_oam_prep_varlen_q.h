#ifndef ACLNNOP_ACLNN_STEM_OAM_PREP_VARLEN_Q_H
#define ACLNNOP_ACLNN_STEM_OAM_PREP_VARLEN_Q_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares StemOamPrepVarlenQ. */
ACLNN_API aclnnStatus aclnnStemOamPrepVarlenQGetWorkspaceSize(const aclTensor *q, const aclIntArray *qSeqLens,
                                                              const aclIntArray *cuSeqLensQ, const aclTensor *qScale,
                                                              int64_t stemBlockSize, int64_t stemStride,
                                                              aclTensor *qFlat, uint64_t *workspaceSize,
                                                              aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnStemOamPrepVarlenQ(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
