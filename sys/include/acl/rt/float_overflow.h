/**
 * Overflow of floats that a device has found; part of `acl_rt.h`.
 */
#ifndef ACL_RT_FLOAT_OVERFLOW_H
#define ACL_RT_FLOAT_OVERFLOW_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Copies the overflow status of a stream, in stream order. */
aclError aclrtGetFloatOverflowStatus(void *outputAddr, uint64_t outputSize, aclrtStream stream);

/** Clears the overflow status of a stream, in stream order. */
aclError aclrtResetFloatOverflowStatus(aclrtStream stream);

/** Copies the overflow status of the device, in stream order. */
aclError aclrtNpuGetFloatOverFlowStatus(void *outputAddr, uint64_t outputSize, uint32_t checkMode, aclrtStream stream);

/** Clears the overflow status of the device, in stream order. */
aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream);

/** Returns the address at which the device notes overflow for the current context. */
aclError aclrtCtxGetFloatOverflowAddr(void **overflowAddr);

#ifdef __cplusplus
}
#endif

#endif
