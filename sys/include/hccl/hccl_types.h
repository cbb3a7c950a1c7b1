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
    HCCL_E_IN_STATUS = 1041,
    HCCL_E_RESERVED = 1042
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

/** The operation that combines the elements of the ranks. */
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
    HCCL_RECV = 1,
    HCCL_SEND_RECV_RESERVED = 2
} HcclSendRecvType;

/** A communicator: one rank of a group. */
typedef void *HcclComm;

/** Bytes of the text that `HcclGetCommName` writes, its end included. */
#define HCCL_COMM_NAME_MAX_LENGTH 128
/** Bytes of an `HcclRootInfo`. */
#define HCCL_ROOT_INFO_BYTES 4108

/** Bytes by which the ranks of a new group find its root; the program sends them to each rank. */
typedef struct HcclRootInfoDef {
    char internal[HCCL_ROOT_INFO_BYTES];
} HcclRootInfo;

/** A message of `HcclBatchSendRecv`. */
typedef struct HcclSendRecvItemDef {
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
/** The version of `HcclCommConfig` in this header, that of CANN 9.1. */
#define HCCL_COMM_CONFIG_VERSION 11U
/** The value of a number of `HcclCommConfig` that is left to the library. */
#define HCCL_COMM_CONFIG_NOT_SET 0xFFFFFFFFU

/**
 * Settings of a communicator. Older releases know the fields at its beginning only: version 2 (8.0) has 160 bytes, version
 * 5 (8.1) has 300, version 6 (8.3) has 312.
 */
typedef struct HcclCommConfigDef {
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
    /** Most memory of a rank that others reach by the same address, in GB */
    uint64_t hcclSymWinMaxMemSizePerRank;
    /** Work that a channel holds at a time */
    uint32_t hcclChannelSqDepth;
} HcclCommConfig;

/** A setting of the library for the whole process. */
typedef enum HcclConfig {
    HCCL_DETERMINISTIC = 0,
    HCCL_CONFIG_RESERVED = 1
} HcclConfig;

/** Value of a setting of the library. */
typedef struct HcclConfigValue {
    int32_t value;
} HcclConfigValue;

/** Size of the header of `HcclCommConfig`, in bytes. */
#define HCCL_COMM_CONFIG_INFO_BYTES       24
#define HCCL_COMM_ALGO_MAX_LENGTH         1600
#define HCCL_COMM_RETRY_ENABLE_MAX_LENGTH 50
#define HCCL_COMM_RETRY_PARAMS_MAX_LENGTH 128

/** The value that the library uses if nothing is set. */
#define HCCL_COMM_DEFAULT_BUFFSIZE           200
#define HCCL_COMM_DEFAULT_DETERMINISTIC      0
#define HCCL_COMM_DEFAULT_OP_EXPANSION_MODE  0
#define HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE 16ULL

/** The values of numbers of `HcclCommConfig` that are left to the library. */
#define HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET      0xffffffff
#define HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET 0xffffffff
#define HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET 0xffffffff
#define HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET 0xffffffff
#define HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET   0xffffffff
#define HCCL_COMM_QOS_CONFIG_NOT_SET           0xffffffff
#define HCCL_COMM_SQ_DEPTH_CONFIG_NOT_SET      0xffffffff

/** A capability that `HcclGetCommConfigCapability` counts. The name of the type is chosen here. */
typedef enum HcclCommConfigCapability {
    HCCL_COMM_CONFIG_BUFFER_SIZE = 0,
    HCCL_COMM_CONFIG_DETERMINISTIC = 1,
    HCCL_COMM_CONFIG_COMM_NAME = 2,
    HCCL_COMM_CONFIG_OP_EXPANSION_MODE = 3,
    HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV = 4,
    HCCL_COMM_CONFIG_WORLD_RANKID = 5,
    HCCL_COMM_CONFIG_JOBID = 6,
    HCCL_COMM_CONFIG_ACLGRAPH_ZEROCOPY_ENABLE = 7,
    HCCL_COMM_CONFIG_EXEC_TIMEOUT = 8,
    HCCL_COMM_CONFIG_ALGO = 9,
    HCCL_COMM_CONFIG_RETRY = 10,
    HCCL_COMM_CONFIG_BUFFER_NAME = 11,
    HCCL_COMM_CONFIG_RESERVED = 12
} HcclCommConfigCapability;

/** The engine that unfolds a collective. The name of the type is chosen here. */
typedef enum HcclOpExpansionMode {
    HCCL_OP_EXPANSION_MODE_INVALID = -1,
    HCCL_OP_EXPANSION_MODE_AI_CPU = 0,
    HCCL_OP_EXPANSION_MODE_AIV = 1,
    HCCL_OP_EXPANSION_MODE_HOST = 2,
    HCCL_OP_EXPANSION_MODE_HOST_TS = 3,
    HCCL_OP_EXPANSION_MODE_CCU_MS = 4,
    HCCL_OP_EXPANSION_MODE_CCU_SCHED = 5,
    HCCL_OP_EXPANSION_AIV_ONLY = 6
} HcclOpExpansionMode;

/** A kind of collective. The name of the type is chosen here. */
typedef enum HcclCMDType {
    HCCL_CMD_INVALID = 0,
    HCCL_CMD_BROADCAST = 1,
    HCCL_CMD_ALLREDUCE = 2,
    HCCL_CMD_REDUCE = 3,
    HCCL_CMD_SEND = 4,
    HCCL_CMD_RECEIVE = 5,
    HCCL_CMD_ALLGATHER = 6,
    HCCL_CMD_REDUCE_SCATTER = 7,
    HCCL_CMD_ALLTOALLV = 8,
    HCCL_CMD_ALLTOALLVC = 9,
    HCCL_CMD_ALLTOALL = 10,
    HCCL_CMD_GATHER = 11,
    HCCL_CMD_SCATTER = 12,
    HCCL_CMD_BATCH_SEND_RECV = 13,
    HCCL_CMD_BATCH_PUT = 14,
    HCCL_CMD_BATCH_GET = 15,
    HCCL_CMD_ALLGATHER_V = 16,
    HCCL_CMD_REDUCE_SCATTER_V = 17,
    HCCL_CMD_BATCH_WRITE = 18,
    HCCL_CMD_HALF_ALLTOALLV = 20,
    HCCL_CMD_ALL = 21,
    HCCL_CMD_FINALIZE = 100,
    HCCL_CMD_INTER_GROUP_SYNC = 101,
    HCCL_CMD_INIT = 102,
    HCCL_CMD_BARRIER = 103,
    HCCL_CMD_MAX = 104
} HcclCMDType;

#ifdef __cplusplus
}
#endif

#endif
