/**
 * Steps of a collective: copies, combinations and signals, on a thread and over a channel.
 */
#ifndef HCCL_HCOMM_PRIMITIVES_H
#define HCCL_HCOMM_PRIMITIVES_H

#include "hccl/hccl_res.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Type of elements. The numbers are those of `HcclDataType`. */
typedef enum HcommDataType {
    HCOMM_DATA_TYPE_INT8 = 0,
    HCOMM_DATA_TYPE_INT16 = 1,
    HCOMM_DATA_TYPE_INT32 = 2,
    HCOMM_DATA_TYPE_FP16 = 3,
    HCOMM_DATA_TYPE_FP32 = 4,
    HCOMM_DATA_TYPE_INT64 = 5,
    HCOMM_DATA_TYPE_UINT64 = 6,
    HCOMM_DATA_TYPE_UINT8 = 7,
    HCOMM_DATA_TYPE_UINT16 = 8,
    HCOMM_DATA_TYPE_UINT32 = 9,
    HCOMM_DATA_TYPE_FP64 = 10,
    HCOMM_DATA_TYPE_BFP16 = 11,
    HCOMM_DATA_TYPE_INT128 = 12,
    HCOMM_DATA_TYPE_HIF8 = 14,
    HCOMM_DATA_TYPE_FP8E4M3 = 15,
    HCOMM_DATA_TYPE_FP8E5M2 = 16,
    HCOMM_DATA_TYPE_FP8E8M0 = 17,
    HCOMM_DATA_TYPE_RESERVED = 255
} HcommDataType;

/** The operation that combines elements. */
typedef enum HcommReduceOp {
    HCOMM_REDUCE_SUM = 0,
    HCOMM_REDUCE_PROD = 1,
    HCOMM_REDUCE_MAX = 2,
    HCOMM_REDUCE_MIN = 3,
    HCOMM_REDUCE_RESERVED = 255
} HcommReduceOp;

/** A kind of transfer. The name of the type is chosen here. */
typedef enum HcommTransferType {
    HCOMM_TRANSFER_TYPE_INVALID = -1,
    HCOMM_TRANSFER_TYPE_WRITE = 0,
    HCOMM_TRANSFER_TYPE_WRITE_REDUCE = 1,
    HCOMM_TRANSFER_TYPE_WRITE_WITH_NOTIFY = 2,
    HCOMM_TRANSFER_TYPE_WRITE_REDUCE_WITH_NOTIFY = 3,
    HCOMM_TRANSFER_TYPE_READ = 4,
    HCOMM_TRANSFER_TYPE_READ_REDUCE = 5,
    HCOMM_TRANSFER_TYPE_NOTIFY_RECORD = 6
} HcommTransferType;

/** A transfer of a batch. */
typedef struct HcommBatchTransferDesc HcommBatchTransferDesc;

/** Holds a communicator by its name. */
int32_t HcommAcquireComm(const char *commId);

/** Undoes `HcommAcquireComm`. */
int32_t HcommReleaseComm(const char *commId);

/** Begins to collect steps. */
int32_t HcommBatchModeStart(const char *batchTag);

/** Gives the collected steps to their threads. */
int32_t HcommBatchModeEnd(const char *batchTag);

/** Copies on a thread. */
int32_t HcommLocalCopyOnThread(uint64_t thread, void *dst, const void *src, uint64_t len);

/** Combines elements on a thread. */
int32_t HcommLocalReduceOnThread(uint64_t thread, void *dst, const void *src, uint64_t count, HcommDataType dataType,
                                 HcommReduceOp reduceOp);

/** Writes to the other end on a thread. */
int32_t HcommWriteOnThread(uint64_t thread, uint64_t channel, void *dst, const void *src, uint64_t len);

/** Combines with elements of the other end, there, on a thread. */
int32_t HcommWriteReduceOnThread(uint64_t thread, uint64_t channel, void *dst, const void *src, uint64_t count,
                                 HcommDataType dataType, HcommReduceOp reduceOp);

/** Writes to the other end on a thread and signals it. */
int32_t HcommWriteWithNotifyOnThread(uint64_t thread, uint64_t channel, void *dst, const void *src, uint64_t len,
                                     uint32_t remoteNotifyIdx);

/** Combines with elements of the other end, there, on a thread, and signals it. */
int32_t HcommWriteReduceWithNotifyOnThread(uint64_t thread, uint64_t channel, void *dst, const void *src,
                                           uint64_t count, HcommDataType dataType, HcommReduceOp reduceOp,
                                           uint32_t remoteNotifyIdx);

/** Reads from the other end on a thread. */
int32_t HcommReadOnThread(uint64_t thread, uint64_t channel, void *dst, const void *src, uint64_t len);

/** Combines with elements of the other end, here, on a thread. */
int32_t HcommReadReduceOnThread(uint64_t thread, uint64_t channel, void *dst, const void *src, uint64_t count,
                                HcommDataType dataType, HcommReduceOp reduceOp);

/** Writes to the other end without waiting. */
int32_t HcommWriteNbi(uint64_t channel, void *dst, const void *src, uint64_t len);

/** Writes to the other end without waiting, and signals it. */
int32_t HcommWriteWithNotifyNbi(uint64_t channel, void *dst, const void *src, uint64_t len, uint32_t remoteNotifyIdx);

/** Reads from the other end without waiting. */
int32_t HcommReadNbi(uint64_t channel, void *dst, const void *src, uint64_t len);

/** Writes to the other end on a thread without waiting. */
int32_t HcommWriteNbiOnThread(uint64_t thread, uint64_t channel, void *dst, const void *src, uint64_t len);

/** Writes to the other end on a thread without waiting, and signals it. */
int32_t HcommWriteWithNotifyNbiOnThread(uint64_t thread, uint64_t channel, void *dst, const void *src, uint64_t len,
                                        uint32_t remoteNotifyIdx);

/** Reads from the other end on a thread without waiting. */
int32_t HcommReadNbiOnThread(uint64_t thread, uint64_t channel, void *dst, const void *src, uint64_t len);

/** Does several transfers on a thread. */
int32_t HcommBatchTransferOnThread(uint64_t thread, uint64_t channel, const HcommBatchTransferDesc *transferDescs,
                                   uint32_t transferDescNum);

/** Signals the other end. */
int32_t HcommChannelNotifyRecord(uint64_t channel, uint32_t remoteNotifyIdx);

/** Waits for a signal of the other end. */
int32_t HcommChannelNotifyWait(uint64_t channel, uint32_t localNotifyIdx, uint32_t timeOut);

/** Signals the other end on a thread. */
int32_t HcommChannelNotifyRecordOnThread(uint64_t thread, uint64_t channel, uint32_t remoteNotifyIdx);

/** Waits for a signal of the other end on a thread. */
int32_t HcommChannelNotifyWaitOnThread(uint64_t thread, uint64_t channel, uint32_t localNotifyIdx, uint32_t timeOut);

/** Waits for a signal of the other end on a thread, up to the time limit that is set. */
int32_t HcommChannelNotifyWaitOnThreadWithDefaultTimeout(uint64_t thread, uint64_t channel, uint32_t localNotifyIdx);

/** Signals another thread. */
int32_t HcommThreadNotifyRecordOnThread(uint64_t thread, uint64_t dstThread, uint32_t dstNotifyIdx);

/** Waits for a signal of another thread. */
int32_t HcommThreadNotifyWaitOnThread(uint64_t thread, uint32_t notifyIdx, uint32_t timeOut);

/** Waits for a signal of another thread, up to the time limit that is set. */
int32_t HcommThreadNotifyWaitOnThreadWithDefaultTimeout(uint64_t thread, uint32_t notifyIdx);

/** Gives the signal of a notify on a thread. */
int32_t HcommAclrtNotifyRecordOnThread(uint64_t thread, uint64_t dstNotifyId);

/** Waits for the signal of a notify on a thread. */
int32_t HcommAclrtNotifyWaitOnThread(uint64_t thread, uint64_t notifyId, uint32_t timeOut);

/** Lets later work on a channel wait for earlier work. */
int32_t HcommChannelFence(uint64_t channel);

/** Lets later work on a channel wait for earlier work, on a thread. */
int32_t HcommChannelFenceOnThread(uint64_t thread, uint64_t channel);

/** Waits on a thread until a channel is empty. */
int32_t HcommChannelDrainOnThread(uint64_t thread, uint64_t channel);

/** Lets later work on a thread wait for earlier work. */
int32_t HcommFenceOnThread(uint64_t thread);

/** Sets the time limit of waits for signals. */
int32_t HcommSetNotifyWaitTimeOut(float timeOut);

/** Sets the time limit of waits for threads. */
int32_t HcommThreadResAcquireTimeOut(float timeOut);

/** Begins to keep steps under a name. */
int32_t HcommAicpuTsTaskCacheStart(const char *tag, void **addrs, uint64_t *sizes, uint64_t count);

/** Ends keeping steps. */
int32_t HcommAicpuTsTaskCacheEnd(const char *tag);

/** Returns whether steps are kept under a name. */
int32_t HcommAicpuTsTaskCacheLookup(const char *tag, bool *isHit);

/** Gives kept steps to their threads again, with other addresses. */
int32_t HcommAicpuTsTaskCacheExecute(const char *tag, void **addrs, uint64_t *sizes, uint64_t count);

/** Forgets the steps kept under a name. */
int32_t HcommAicpuTsTaskCacheClear(const char *tag);

#ifdef __cplusplus
}
#endif

#endif
