#ifndef ACLNNOP_ACLNN_SET_PYTORCH_RANDOM_H
#define ACLNNOP_ACLNN_SET_PYTORCH_RANDOM_H

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A single function, without a launch. */
ACLNN_API aclnnStatus aclnnGetPytorchRandom(void);

/** A single function, without a launch. */
ACLNN_API aclnnStatus aclnnSetPytorchRandom(int32_t mode);

#ifdef __cplusplus
}
#endif

#endif
