#ifndef ACLNNOP_ACLNN_SWIGLU_MX_QUANT_H
#define ACLNNOP_ACLNN_SWIGLU_MX_QUANT_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares SwigluMxQuant. */
ACLNN_API aclnnStatus aclnnSwigluMxQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *groupIndexOptional,
                                                         int64_t activateDim, bool activateLeft, int64_t swigluMode,
                                                         double clampLimit, double gluAlpha, double gluBias,
                                                         int64_t groupMode, int64_t axis, int64_t dstType,
                                                         char *roundModeOptional, int64_t scaleAlg,
                                                         double maxDtypeValue, const aclTensor *yOut,
                                                         const aclTensor *mxscaleOut, uint64_t *workspaceSize,
                                                         aclOpExecutor **executor);

/** Launches what was prepared, and uses up the executor unless it is repeatable. */
ACLNN_API aclnnStatus aclnnSwigluMxQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                         aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
