#ifndef ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_INFO_COLLECT_H
#define ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_INFO_COLLECT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ElasticReceivableInfoCollect. */
ACLNN_API aclnnStatus aclnnElasticReceivableInfoCollectGetWorkspaceSize(const char *group, int64_t worldSize,
                                                                        aclTensor *y, uint64_t *workspaceSize,
                                                                        aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnElasticReceivableInfoCollect(void *workspace, uint64_t workspaceSize,
                                                        aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
