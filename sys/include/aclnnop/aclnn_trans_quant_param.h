#ifndef ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H
#define ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of `aclnnTransQuantParam`, a single function without a launch, are not known. */

#ifdef __cplusplus
}
#endif

#endif
