#ifndef ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_TEST_H
#define ACLNNOP_ACLNN_ELASTIC_RECEIVABLE_TEST_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ElasticReceivableTest. */
ACLNN_API aclnnStatus aclnnElasticReceivableTestGetWorkspaceSize(aclTensor *dstRank, const char *group,
                                                                 int64_t worldSize, int64_t rank_num,
                                                                 uint64_t *workspaceSize, aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnElasticReceivableTest(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
