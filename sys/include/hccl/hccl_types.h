/**
 * Types of collective communication between devices, by the library HCCL.
 */
#ifndef HCCL_HCCL_TYPES_H
#define HCCL_HCCL_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a function of HCCL. */
typedef enum HcclResult {
    HCCL_SUCCESS = 0,
    HCCL_E_PARA = 1,
    HCCL_E_PTR = 2,
    HCCL_E_MEMORY = 3,
    HCCL_E_INTERNAL = 4,
    HCCL_E_NOT_SUPPORT = 5,
    HCCL_E_NOT_FOUND = 6,
    HCCL_E_UNAVAIL = 7,
    HCCL_E_SYSCALL = 8,
    HCCL_E_TIMEOUT = 9,
    HCCL_E_OPEN_FILE_FAILURE = 10,
    HCCL_E_TCP_CONNECT = 11,
    HCCL_E_ROCE_CONNECT = 12,
    HCCL_E_TCP_TRANSFER = 13,
    HCCL_E_ROCE_TRANSFER = 14,
    HCCL_E_RUNTIME = 15,
    HCCL_E_DRV = 16,
    HCCL_E_PROFILING = 17,
    HCCL_E_CCE = 18,
    HCCL_E_NETWORK = 19,
    HCCL_E_AGAIN = 20,
    HCCL_E_REMOTE = 21,
    HCCL_E_SUSPENDING = 22,
    HCCL_E_OPRETRY_FAIL = 23,
    HCCL_E_OOM = 24,
    /** The failure is that of a communicator, not of the call */
    HCCL_E_IN_STATUS = 1041
} HcclResult;

/** Type of the elements that a collective moves. The numbers are not those of `aclDataType`. */
typedef enum HcclDataType {
    HCCL_DATA_TYPE_INT8 = 0,
    HCCL_DATA_TYPE_INT16 = 1,
    HCCL_DATA_TYPE_INT32 = 2,
    HCCL_DATA_TYPE_FP16 = 3,
    HCCL_DATA_TYPE_FP32 = 4,
    HCCL_DATA_TYPE_INT64 = 5,
    HCCL_DATA_TYPE_UINT64 = 6,
    HCCL_DATA_TYPE_UINT8 = 7,
    HCCL_DATA_TYPE_UINT16 = 8,
    HCCL_DATA_TYPE_UINT32 = 9,
    HCCL_DATA_TYPE_FP64 = 10,
    HCCL_DATA_TYPE_BFP16 = 11,
    HCCL_DATA_TYPE_INT128 = 12,
    HCCL_DATA_TYPE_HIF8 = 14,
    HCCL_DATA_TYPE_FP8E4M3 = 15,
    HCCL_DATA_TYPE_FP8E5M2 = 16,
    HCCL_DATA_TYPE_FP8E8M0 = 17,
    HCCL_DATA_TYPE_RESERVED = 255
} HcclDataType;

/** How the elements of the ranks are combined. */
typedef enum HcclReduceOp {
    HCCL_REDUCE_SUM = 0,
    HCCL_REDUCE_PROD = 1,
    HCCL_REDUCE_MAX = 2,
    HCCL_REDUCE_MIN = 3,
    HCCL_REDUCE_RESERVED = 255
} HcclReduceOp;

/** Direction of an item of `HcclBatchSendRecv`. */
typedef enum HcclSendRecvType {
    HCCL_SEND = 0,
    HCCL_RECV = 1
} HcclSendRecvType;

/** A communicator: one rank of a group. */
typedef void *HcclComm;

/** Bytes of the text that `HcclGetCommName` writes, its end included. */
#define HCCL_COMM_NAME_MAX_LENGTH 128
/** Bytes of an `HcclRootInfo`. */
#define HCCL_ROOT_INFO_BYTES 4108

/** Bytes by which the ranks of a new group find its root; they are carried to each rank. */
typedef struct HcclRootInfo {
    char internal[HCCL_ROOT_INFO_BYTES];
} HcclRootInfo;

/** A message of `HcclBatchSendRecv`. */
typedef struct HcclSendRecvItem {
    HcclSendRecvType sendRecvType;
    /** Device memory */
    void *buf;
    /** Elements */
    uint64_t count;
    HcclDataType dataType;
    /** The other rank */
    uint32_t remoteRank;
} HcclSendRecvItem;

/** The number that marks an initialised `HcclCommConfig`. */
#define HCCL_COMM_CONFIG_MAGIC_WORD 0xF0F0F0F0U
/** The version of `HcclCommConfig` in this header, that of CANN 9.0. */
#define HCCL_COMM_CONFIG_VERSION 10U
/** The value of a number of `HcclCommConfig` that is left to the library. */
#define HCCL_COMM_CONFIG_NOT_SET 0xFFFFFFFFU

/**
 * Settings of a communicator. Older releases know the fields at its beginning only: version 2 (8.0) has 160 bytes, version
 * 5 (8.1) has 300, version 6 (8.3) has 312.
 */
typedef struct HcclCommConfig {
    /** Bytes of this structure, as its version has them */
    size_t size;
    uint32_t magicWord;
    uint32_t version;
    uint64_t reserved;
    /** Size of the buffer for communication, in MB */
    uint32_t hcclBufferSize;
    /** 1 if results must not depend on the order in which data arrives */
    uint32_t hcclDeterministic;
    char hcclCommName[128];
    char hcclUdi[128];
    uint32_t hcclOpExpansionMode;
    uint32_t hcclRdmaTrafficClass;
    uint32_t hcclRdmaServiceLevel;
    uint32_t hcclWorldRankID;
    uint64_t hcclJobID;
    uint8_t aclGraphZeroCopyEnable;
    /** Seconds after which a collective fails */
    int32_t hcclExecTimeOut;
    char hcclAlgo[1600];
    char hcclRetryEnable[50];
    char hcclRetryParams[128];
    char hcclBufferName[128];
    uint32_t hcclQos;
} HcclCommConfig;

#ifdef __cplusplus
}
#endif

#endif
