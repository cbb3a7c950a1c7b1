/**
 * Pools of device memory, in the order of streams. CANN 9.0 and later.
 */
#ifndef ACL_ACL_RT_MEMORY_SOMA_H
#define ACL_ACL_RT_MEMORY_SOMA_H

#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A pool of device memory. */
typedef void *aclrtMemPool;

/** An attribute of a pool. */
typedef enum aclrtMemPoolAttr {
    ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
    ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,
    ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
    /** Bytes that stay with the pool */
    ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 4,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 5,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 6,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 7,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 8
} aclrtMemPoolAttr;

/** Properties of a pool. */
typedef struct aclrtMemPoolProps {
    aclrtMemAllocationType allocType;
    aclrtMemHandleType handleType;
    aclrtMemLocation location;
    /** Bytes; 0 for no limit */
    size_t maxSize;
    unsigned char reserved[32];
} aclrtMemPoolProps;

/**
 * Makes a pool. CANN 9.0 and later.
 * @param memPool receives it
 * @param poolProps its properties
 */
aclError aclrtMemPoolCreate(aclrtMemPool *memPool, const aclrtMemPoolProps *poolProps);

/** Destroys a pool. CANN 9.0 and later. */
aclError aclrtMemPoolDestroy(const aclrtMemPool memPool);

/**
 * Sets an attribute of a pool. CANN 9.0 and later.
 * @param memPool the pool
 * @param attr which
 * @param value its value: `uint64_t`, or `int` for those that allow something
 */
aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value);

/**
 * Returns an attribute of a pool. CANN 9.0 and later.
 * @param memPool the pool
 * @param attr which
 * @param value receives its value: `uint64_t`, or `int` for those that allow something
 */
aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value);

/**
 * Allocates memory of a pool, for work that a stream is given from now on. CANN 9.1 and later.
 * @param ptr receives the address
 * @param size bytes
 * @param memPool the pool
 * @param stream the stream
 */
aclError aclrtMemPoolMallocAsync(void **ptr, size_t size, aclrtMemPool memPool, aclrtStream stream);

/**
 * Frees memory of a pool in stream order. CANN 9.1 and later.
 * @param ptr the address
 * @param stream the stream
 */
aclError aclrtMemPoolFreeAsync(void *ptr, aclrtStream stream);

/**
 * Returns unused memory of a pool to the device. CANN 9.1 and later.
 * @param memPool the pool
 * @param minBytesToKeep bytes that stay with the pool
 */
aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

#ifdef __cplusplus
}
#endif

#endif
