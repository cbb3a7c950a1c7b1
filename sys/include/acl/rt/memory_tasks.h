/**
 * Tasks of streams on memory besides copies, and questions about memory; part of `acl_rt.h`.
 */
#ifndef ACL_RT_MEMORY_TASKS_H
#define ACL_RT_MEMORY_TASKS_H

#include "../acl_base_rt.h"
#include "memory_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The value in memory is at least the one given. */
#define ACL_STREAM_WAIT_VALUE_GEQ 0x00000000U
/** They are equal. */
#define ACL_STREAM_WAIT_VALUE_EQ  0x00000001U
/** They have a bit in common. */
#define ACL_STREAM_WAIT_VALUE_AND 0x00000002U
/** Some bit is missing in both. */
#define ACL_STREAM_WAIT_VALUE_NOR 0x00000003U

#define ACL_RT_MEM_UCE_INFO_MAX_NUM 20
/** The most faulty pages that are noted of a device. */
#define ACL_RT_MAX_RECORD_PA_NUM_PER_DEV 20U

/** The operation that combines two elements. */
typedef enum aclrtReduceKind {
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13
} aclrtReduceKind;

/** The operation on the cache. */
typedef enum aclrtCmoType {
    ACL_RT_CMO_TYPE_PREFETCH = 0,
    ACL_RT_CMO_TYPE_WRITEBACK = 1,
    ACL_RT_CMO_TYPE_INVALID = 2,
    ACL_RT_CMO_TYPE_FLUSH = 3
} aclrtCmoType;

/** Sides of some copies of a batch. */
typedef struct aclrtMemcpyBatchAttr {
    aclrtMemLocation dstLoc;
    aclrtMemLocation srcLoc;
    uint8_t rsv[16];
} aclrtMemcpyBatchAttr;

/** Memory with an error that cannot be corrected. */
typedef struct aclrtMemUceInfo {
    void *addr;
    size_t len;
    size_t reserved[14];
} aclrtMemUceInfo;

/** Pieces of memory with an error. */
typedef struct aclrtMemUceInfoArray {
    size_t arraySize;
    aclrtMemUceInfo memUceInfoArray[ACL_RT_MEM_UCE_INFO_MAX_NUM];
} aclrtMemUceInfoArray;

/**
 * Writes the cache back to memory.
 * @param devPtr start
 * @param size bytes
 */
aclError aclrtMemFlush(void *devPtr, size_t size);

/**
 * Drops the contents of the cache.
 * @param devPtr start
 * @param size bytes
 */
aclError aclrtMemInvalidate(void *devPtr, size_t size);

/**
 * Performs a cache operation in stream order.
 * @param src start
 * @param size bytes
 * @param cmoType the operation
 * @param stream the stream
 */
aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream);

/**
 * Does the same as `aclrtMemcpyAsync`.
 * @param dst where to
 * @param destMax bytes there; less than `count` gives 107000
 * @param src where from
 * @param count bytes to copy
 * @param kind direction
 * @param stream the stream
 */
aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                                       aclrtStream stream);

/**
 * Copies many regions at once.
 * @param dsts where to
 * @param destMaxs bytes there
 * @param srcs where from
 * @param sizes bytes to copy
 * @param numBatches how many regions
 * @param attrs sides of the copies
 * @param attrsIndexes first region of each entry of `attrs`
 * @param numAttrs how many entries
 * @param failIndex receives the region that failed, or the largest number
 */
aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                          aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex);

/**
 * Does the same as `aclrtMemcpyBatch`, in stream order.
 * @param dsts where to
 * @param destMaxs bytes there
 * @param srcs where from
 * @param sizes bytes to copy
 * @param numBatches how many regions
 * @param attrs sides of the copies
 * @param attrsIndexes first region of each entry of `attrs`
 * @param numAttrs how many entries
 * @param failIndex receives the region that failed, or the largest number
 * @param stream the stream
 */
aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                               aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex,
                               aclrtStream stream);

/**
 * Does the same as `aclrtMemcpyBatch`, without the number of the region that failed. CANN 9.1 and later.
 * @param dsts where to
 * @param destMaxs bytes there
 * @param srcs where from
 * @param sizes bytes to copy
 * @param numBatches how many regions
 * @param attrs sides of the copies
 * @param attrsIndexes first region of each entry of `attrs`
 * @param numAttrs how many entries
 */
aclError aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                            aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs);

/**
 * Does the same as `aclrtMemcpyBatchAsync`, without the number of the region that failed. CANN 9.1 and later.
 * @param dsts where to
 * @param destMaxs bytes there
 * @param srcs where from
 * @param sizes bytes to copy
 * @param numBatches how many regions
 * @param attrs sides of the copies
 * @param attrsIndexes first region of each entry of `attrs`
 * @param numAttrs how many entries
 * @param stream the stream
 */
aclError aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                                 aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs,
                                 aclrtStream stream);

/**
 * Writes 64 bits in stream order.
 * @param devAddr where
 * @param value what
 * @param flag 0
 * @param stream the stream
 */
aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/**
 * Lets a stream wait for a value in memory.
 * @param devAddr where; 64 bits
 * @param value what it is compared with
 * @param flag `ACL_STREAM_WAIT_VALUE_…`
 * @param stream the stream
 */
aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/**
 * Combines the elements of two regions in stream order.
 * @param dst one operand, and the result
 * @param src the other operand
 * @param count bytes
 * @param kind how
 * @param type of the elements
 * @param stream the stream
 * @param reserve NULL
 */
aclError aclrtReduceAsync(void *dst, const void *src, uint64_t count, aclrtReduceKind kind, aclDataType type,
                          aclrtStream stream, void *reserve);

/**
 * Returns the allocation that contains an address. CANN 9.0 and later.
 * @param ptr the address
 * @param pbase receives its start; may be NULL
 * @param psize receives its bytes; may be NULL
 */
aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize);

/**
 * Returns the memory of a device that has uncorrectable errors.
 * @param deviceId the device
 * @param memUceInfoArray receives one entry per piece
 * @param arraySize entries there
 * @param retSize receives the entries written
 */
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize, size_t *retSize);

/**
 * Replaces memory with errors.
 * @param deviceId the device
 * @param memUceInfoArray the pieces
 * @param arraySize how many
 */
aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize);

#ifdef __cplusplus
}
#endif

#endif
