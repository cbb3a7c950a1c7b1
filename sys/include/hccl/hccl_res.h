/**
 * Resources of which programs build collectives: memory, threads and contexts of a communicator.
 */
#ifndef HCCL_HCCL_RES_H
#define HCCL_HCCL_RES_H

#include "hccl_comm.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HCCL_RES_TAG_MAX_LEN 255

/** The engine that runs work of a communicator. CANN's values are not known here. */
typedef int32_t CommEngine;

/** Kind of a thread. CANN's values are not known here. */
typedef int32_t ThreadType;

/** A question about a thread. CANN's values are not known here. */
typedef int32_t ThreadResType;

/** Settings of threads. */
typedef struct ThreadConfig ThreadConfig;

/** A piece of memory that communicates. */
typedef struct CommMem CommMem;

/** A place that memory, threads and links belong to. The meaning of its bytes is not known here. */
typedef struct EndpointDesc {
    uint64_t bytes[20];
} EndpointDesc;

/** The beginning of structures that later releases extend. Its contents are not known here. */
typedef struct HcclStructureHeader {
    uint32_t words[4];
} HcclStructureHeader;

/** The purpose of a thread of the library. */
typedef enum HcclDedicatedThreadType {
    HCCL_DED_THREAD_TYPE_INVALID = -1,
    HCCL_DED_THREAD_TYPE_AICPU_LAUNCH = 0,
    HCCL_DED_THREAD_TYPE_AICPU_LAUNCH_GE = 1,
    HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_OPBASE = 2,
    HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_ACLGRAPH = 3,
    HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_GE = 4,
    HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_DEVICE = 5
} HcclDedicatedThreadType;

/** Returns the buffer of a communicator. */
HcclResult HcclGetHcclBuffer(HcclComm comm, void **buffer, uint64_t *size);

/** Returns the buffer of a communicator, filled with zeros. */
HcclResult HcclGetHcclBufferCleared(HcclComm comm, void **buffer, uint64_t *size);

/** Lets a communicator use memory of the program. */
HcclResult HcclCommMemReg(HcclComm comm, const char *memTag, const CommMem *mem, void **memHandle);

/** Acquires threads of a communicator. */
HcclResult HcclThreadAcquire(HcclComm comm, CommEngine engine, uint32_t threadNum, uint32_t notifyNumPerThread,
                             uint64_t *threads);

/** Acquires threads of a communicator, with settings. */
HcclResult HcclThreadAcquireWithConfig(HcclComm comm, CommEngine engine, uint32_t threadNum, ThreadType type,
                                       const ThreadConfig *config, uint64_t *threads);

/** Acquires a thread of a communicator that works in a stream. */
HcclResult HcclThreadAcquireWithStream(HcclComm comm, CommEngine engine, aclrtStream stream, uint32_t notifyNum,
                                       uint64_t *thread);

/** Acquires a thread that the library keeps for a purpose. */
HcclResult HcclDedicatedThreadAcquire(HcclComm comm, HcclDedicatedThreadType useType, uint32_t notifyNumPerThread,
                                      uint64_t *thread);

/** Answers a question about a thread. */
HcclResult HcclThreadResGetInfo(HcclComm comm, uint64_t thread, ThreadResType resType, uint32_t infoLen, void **info);

/** Makes memory that the work of a communicator keeps. */
HcclResult HcclEngineCtxCreate(HcclComm comm, const char *ctxTag, CommEngine engine, uint64_t size, void **ctx);

/** Finds memory that the work of a communicator keeps. */
HcclResult HcclEngineCtxGet(HcclComm comm, const char *ctxTag, CommEngine engine, void **ctx, uint64_t *size);

/** Copies into memory that the work of a communicator keeps. */
HcclResult HcclEngineCtxCopy(HcclComm comm, CommEngine engine, const char *ctxTag, const void *srcCtx, uint64_t size,
                             uint64_t dstCtxOffset);

/** Frees memory that the work of a communicator keeps. */
HcclResult HcclEngineCtxDestroy(HcclComm comm, const char *ctxTag, CommEngine engine);

#ifdef __cplusplus
}
#endif

#endif
