#ifndef ACLNNOP_ACLNN_HANS_ENCODE_H
#define ACLNNOP_ACLNN_HANS_ENCODE_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares HansEncode. */
ACLNN_API aclnnStatus aclnnHansEncodeGetWorkspaceSize(const aclTensor *inputTensor, aclTensor *pdfRef, bool statistic,
                                                      bool reshuff, const aclTensor *mantissaOut,
                                                      const aclTensor *fixedOut, const aclTensor *varOut,
                                                      uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnHansEncode(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
