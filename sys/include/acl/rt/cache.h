/**
 * Cache operations of streams, as described or with barriers; part of `acl_rt.h`.
 */
#ifndef ACL_RT_CACHE_H
#define ACL_RT_CACHE_H

#include "../acl_base_rt.h"
#include "memory_tasks.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_RT_CMO_MAX_BARRIER_NUM 6U

/** A barrier, and the cache operation at it. */
typedef struct aclrtBarrierCmoInfo {
    aclrtCmoType cmoType;
    uint32_t barrierId;
} aclrtBarrierCmoInfo;

/** The barriers that a stream waits for. */
typedef struct aclrtBarrierTaskInfo {
    size_t barrierNum;
    aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

/** Performs a cache operation in stream order, and raises a barrier. */
aclError aclrtCmoAsyncWithBarrier(void *src, uint64_t size, aclrtCmoType cmoType, uint32_t barrierId,
                                  aclrtStream stream);

/** Lets a stream wait for barriers. */
aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo *taskInfo, aclrtStream stream, uint32_t flag);

/** Returns the bytes of the description of a piece of memory. */
aclError aclrtCmoGetDescSize(uint64_t *size);

/** Describes a piece of memory, in device memory. */
aclError aclrtCmoSetDesc(void *cmoDesc, void *src, uint64_t size);

/** Performs a cache operation on a described piece of memory, in stream order. */
aclError aclrtCmoAsyncWithDesc(void *cmoDesc, aclrtCmoType cmoType, aclrtStream stream, const void *reserve);

#ifdef __cplusplus
}
#endif

#endif
