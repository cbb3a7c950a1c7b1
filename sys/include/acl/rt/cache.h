/**
 * What streams do with the cache, as described or with barriers; part of `acl_rt.h`.
 */
#ifndef ACL_RT_CACHE_H
#define ACL_RT_CACHE_H

#include "../acl_base_rt.h"
#include "memory_tasks.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_RT_CMO_MAX_BARRIER_NUM 6U

/** A barrier, and what is done to the cache there. */
typedef struct aclrtBarrierCmoInfo {
    aclrtCmoType cmoType;
    uint32_t barrierId;
} aclrtBarrierCmoInfo;

/** The barriers that a stream waits for. */
typedef struct aclrtBarrierTaskInfo {
    size_t barrierNum;
    aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

/** Does something to the cache when a stream gets there, and raises a barrier. */
aclError aclrtCmoAsyncWithBarrier(void *src, uint64_t size, aclrtCmoType cmoType, uint32_t barrierId,
                                  aclrtStream stream);

/** Lets a stream wait for barriers. */
aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo *taskInfo, aclrtStream stream, uint32_t flag);

/** Tells the bytes of the description of a piece of memory. */
aclError aclrtCmoGetDescSize(uint64_t *size);

/** Describes a piece of memory, in device memory. */
aclError aclrtCmoSetDesc(void *cmoDesc, void *src, uint64_t size);

/** Does something to the cache for a described piece of memory, when a stream gets there. */
aclError aclrtCmoAsyncWithDesc(void *cmoDesc, aclrtCmoType cmoType, aclrtStream stream, const void *reserve);

#ifdef __cplusplus
}
#endif

#endif
