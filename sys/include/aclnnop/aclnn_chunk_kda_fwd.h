#ifndef ACLNNOP_ACLNN_CHUNK_KDA_FWD_H
#define ACLNNOP_ACLNN_CHUNK_KDA_FWD_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares ChunkKdaFwd. */
ACLNN_API aclnnStatus aclnnChunkKdaFwdGetWorkspaceSize(const aclTensor *q, const aclTensor *k, const aclTensor *v,
                                                       const aclTensor *g, const aclTensor *beta,
                                                       const aclTensor *aLogOptional, const aclTensor *dtBiasOptional,
                                                       const aclTensor *initialStateOptional,
                                                       const aclIntArray *cuSeqlensOptional,
                                                       const aclIntArray *chunkIndicesOptional, const char *layout,
                                                       double scale, int64_t chunkSize, bool safeGate,
                                                       double lowerBound, bool useGateInKernel, bool stateVFirst,
                                                       const aclTensor *attnOut, const aclTensor *finalStateOut,
                                                       const aclTensor *gkOut, const aclTensor *aqkOut,
                                                       const aclTensor *akkOut, const aclTensor *wOut,
                                                       const aclTensor *uOut, const aclTensor *qgOut,
                                                       const aclTensor *kgOut, const aclTensor *vNewOut,
                                                       const aclTensor *hOut, uint64_t *workspaceSize,
                                                       aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnChunkKdaFwd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
