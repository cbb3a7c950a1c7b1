/**
 * What a device found of overflow of floats; part of `acl_rt.h`.
 */
#ifndef ACL_RT_FLOAT_OVERFLOW_H
#define ACL_RT_FLOAT_OVERFLOW_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Copies what a stream found of overflow, when it gets there. */
aclError aclrtGetFloatOverflowStatus(void *outputAddr, uint64_t outputSize, aclrtStream stream);

/** Forgets what a stream found of overflow, when it gets there. */
aclError aclrtResetFloatOverflowStatus(aclrtStream stream);

/** Copies what the device found of overflow, when a stream gets there. */
aclError aclrtNpuGetFloatOverFlowStatus(void *outputAddr, uint64_t outputSize, uint32_t checkMode, aclrtStream stream);

/** Forgets what the device found of overflow, when a stream gets there. */
aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream);

/** Tells where the device notes overflow for the current context. */
aclError aclrtCtxGetFloatOverflowAddr(void **overflowAddr);

#ifdef __cplusplus
}
#endif

#endif
