/**
 * The profiler.
 */
#ifndef ACL_ACL_PROF_H
#define ACL_ACL_PROF_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The data that the profiler records. */
typedef struct aclprofConfig aclprofConfig;

/** Begin and end of a step. */
typedef struct aclprofStepInfo aclprofStepInfo;

/** Events of cores, beside those of `aclprofAicoreMetrics`. */
typedef struct aclprofAicoreEvents aclprofAicoreEvents;

/** Kinds of data that are recorded: their sum is the last argument of `aclprofCreateConfig`. */
#define ACL_PROF_ACL_API         0x0001ULL
#define ACL_PROF_TASK_TIME       0x0002ULL
#define ACL_PROF_AICORE_METRICS  0x0004ULL
#define ACL_PROF_AICPU           0x0008ULL
#define ACL_PROF_L2CACHE         0x0010ULL
#define ACL_PROF_HCCL_TRACE      0x0020ULL
#define ACL_PROF_TRAINING_TRACE  0x0040ULL
#define ACL_PROF_MSPROFTX        0x0080ULL
#define ACL_PROF_RUNTIME_API     0x0100ULL
#define ACL_PROF_GE_API_L0       0x0200ULL
#define ACL_PROF_TASK_TIME_L0    0x0800ULL
#define ACL_PROF_TASK_MEMORY     0x1000ULL
#define ACL_PROF_TASK_TIME_L2    0x2000ULL
#define ACL_PROF_OP_ATTR         0x4000ULL
#define ACL_PROF_TASK_TIME_L3    0x8000ULL
#define ACL_PROF_GE_API_L1       0x01000000ULL
#define ACL_PROF_API_STATS       0x400000000ULL
#define ACL_PROF_AICORE_SHAPE    0x800000000ULL

/** Bytes of the name and of the type of an operator, with their NUL. */
#define ACL_PROF_MAX_OP_NAME_LEN 257
#define ACL_PROF_MAX_OP_TYPE_LEN 65

#define ACL_PROF_EVENT_ATTR_VERSION    1
#define ACL_PROF_TENSOR_DATA_SHAPE_LEN 8

/** The metric of AI cores that is measured. */
typedef enum aclprofAicoreMetrics {
    ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
    ACL_AICORE_PIPE_UTILIZATION = 1,
    ACL_AICORE_MEMORY_BANDWIDTH = 2,
    ACL_AICORE_L0B_AND_WIDTH = 3,
    ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
    ACL_AICORE_MEMORY_UB = 5,
    ACL_AICORE_L2_CACHE = 6,
    ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7,
    ACL_AICORE_MEMORY_ACCESS = 8,
    ACL_AICORE_NONE = 0xFF
} aclprofAicoreMetrics;

/** A setting of the profiler. */
typedef enum aclprofConfigType {
    ACL_PROF_ARGS_MIN = 0,
    ACL_PROF_STORAGE_LIMIT = 1,
    ACL_PROF_SYS_HARDWARE_MEM_FREQ = 3,
    ACL_PROF_LLC_MODE = 4,
    ACL_PROF_SYS_IO_FREQ = 5,
    ACL_PROF_SYS_INTERCONNECTION_FREQ = 6,
    ACL_PROF_DVPP_FREQ = 7,
    ACL_PROF_HOST_SYS = 8,
    ACL_PROF_HOST_SYS_USAGE = 9,
    ACL_PROF_HOST_SYS_USAGE_FREQ = 10,
    ACL_PROF_LOW_POWER_FREQ = 11,
    ACL_PROF_SYS_MEM_SERVICEFLOW = 12,
    ACL_PROF_SYS_CPU_FREQ = 13,
    ACL_PROF_OPTYPE = 14,
    ACL_PROF_NTS_METRICS = 15,
    ACL_PROF_PATH = 16,
    ACL_PROF_ARGS_MAX = 17
} aclprofConfigType;

/** The data that a program receives while a model runs. */
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;

/** The subject of a record of a model. */
typedef enum aclprofSubscribeOpFlag {
    ACL_SUBSCRIBE_OP = 0,
    ACL_SUBSCRIBE_SUBGRAPH = 1,
    ACL_SUBSCRIBE_OP_THREAD = 2,
    ACL_SUBSCRIBE_NONE = 0xFF
} aclprofSubscribeOpFlag;

/** An attribute of a record of a model. */
typedef enum aclprofSubscribeOpAttri {
    ACL_SUBSCRIBE_ATTRI_THREADID = 0,
    ACL_SUBSCRIBE_ATTRI_NONE = 1
} aclprofSubscribeOpAttri;

/** The contents of the message of an event. The name of the type is chosen here. */
typedef enum aclprofMessageType {
    ACL_PROF_MESSAGE_TYPE_TENSOR_INFO = 0
} aclprofMessageType;

/** The description of an event of a program. */
typedef struct aclprofEventAttributes {
    /** `ACL_PROF_EVENT_ATTR_VERSION` */
    uint16_t version;
    /** Bytes of this structure */
    uint16_t size;
    aclprofMessageType messageType;
    void *message;
} aclprofEventAttributes;

/** A tensor of an event. */
typedef struct aclprofTensor {
    uint32_t type;
    uint32_t format;
    uint32_t dataType;
    uint32_t shapeDim;
    uint32_t shape[ACL_PROF_TENSOR_DATA_SHAPE_LEN];
} aclprofTensor;

/** The operator of an event, and its tensors. */
typedef struct aclprofTensorInfo {
    uint64_t opNameId;
    uint64_t opTypeId;
    uint32_t resv;
    uint32_t tensorNum;
    uint32_t kernelType;
    uint32_t blockNums;
    aclrtStream stream;
    aclprofTensor *tensors;
} aclprofTensorInfo;

/** An end of a step. */
typedef enum aclprofStepTag {
    ACL_STEP_START = 0,
    ACL_STEP_END = 1
} aclprofStepTag;

/**
 * Begins profiling.
 * @param profilerResultPath directory of the results
 * @param length bytes of the text
 */
aclError aclprofInit(const char *profilerResultPath, size_t length);

/**
 * Begins to record.
 * @param profilerConfig the data to record
 */
aclError aclprofStart(const aclprofConfig *profilerConfig);

/**
 * Ends recording.
 * @param profilerConfig the data to record
 */
aclError aclprofStop(const aclprofConfig *profilerConfig);

/** Ends profiling. */
aclError aclprofFinalize(void);

/**
 * Describes the data to record. NULL on failure.
 * @param deviceIdList the devices
 * @param deviceNums how many
 * @param aicoreMetrics the metric of AI cores that is measured
 * @param aicoreEvents NULL
 * @param dataTypeConfig kinds of data
 */
aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents *aicoreEvents, uint64_t dataTypeConfig);

/** Frees the result of `aclprofCreateConfig`. */
aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig);

/**
 * Sets the profiler.
 * @param configType which setting
 * @param config its text
 * @param configLength bytes of the text
 */
aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength);

/** Makes a step. NULL on failure. */
aclprofStepInfo *aclprofCreateStepInfo(void);

/** Frees a step. */
void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo);

/**
 * Notes the time of an end of a step, in stream order.
 * @param stepInfo the step
 * @param tag which end
 * @param stream the stream
 */
aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag, aclrtStream stream);

/**
 * Puts a mark into the record, in stream order.
 * @param msg the mark
 * @param msgLen bytes of the text
 * @param stream the stream
 */
aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream);

/** Makes a stamp. NULL on failure. */
void *aclprofCreateStamp(void);

/** Frees a stamp. */
void aclprofDestroyStamp(void *stamp);

/** Gives a stamp its text. */
aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen);

/** Notes the time of a stamp. */
aclError aclprofMark(void *stamp);

/** Begins a range that the next `aclprofPop` of this thread ends. */
aclError aclprofPush(void *stamp);

/** Ends the range that this thread began last. */
aclError aclprofPop(void);

/** Begins a range and returns its number. */
aclError aclprofRangeStart(void *stamp, uint32_t *rangeId);

/** Ends the range with a number. */
aclError aclprofRangeStop(uint32_t rangeId);

/** Begins a range with a description, which the next `aclprofRangePop` of this thread ends. */
aclError aclprofRangePushEx(aclprofEventAttributes *attr);

/** Ends the range that this thread began last. */
aclError aclprofRangePop(void);

/** Returns a number for a text. */
uint64_t aclprofStr2Id(const char *message);

/** Describes the data to receive while a model runs. NULL on failure. */
aclprofSubscribeConfig *aclprofCreateSubscribeConfig(int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics,
                                                     void *fd);

/** Frees the result of `aclprofCreateSubscribeConfig`. */
aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig);

/** Writes records of the operators of a model to a file from now on. */
aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig);

/** Undoes `aclprofModelSubscribe`. */
aclError aclprofModelUnSubscribe(uint32_t modelId);

/** Returns the number of the model of a record. */
uint64_t aclprofGetModelId(const void *opInfo, uint64_t opInfoLen, uint32_t index);

/** Returns the size of a record in bytes. */
aclError aclprofGetOpDescSize(uint64_t *opDescSize);

/** Counts the operators of a record. */
aclError aclprofGetOpNum(const void *opInfo, uint64_t opInfoLen, uint32_t *opNumber);

/** Returns the bytes of the name of an operator. */
aclError aclprofGetOpNameLen(const void *opInfo, uint64_t opInfoLen, uint32_t index, uint64_t *opNameLen);

/** Writes the name of an operator. */
aclError aclprofGetOpName(const void *opInfo, uint64_t opInfoLen, uint32_t index, char *opName, uint64_t opNameLen);

/** Returns the bytes of the type of an operator. */
aclError aclprofGetOpTypeLen(const void *opInfo, uint64_t opInfoLen, uint32_t index, uint64_t *opTypeLen);

/** Writes the type of an operator. */
aclError aclprofGetOpType(const void *opInfo, uint64_t opInfoLen, uint32_t index, char *opType, uint64_t opTypeLen);

/** Returns the time at which an operator began. */
uint64_t aclprofGetOpStart(const void *opInfo, uint64_t opInfoLen, uint32_t index);

/** Returns the time at which an operator ended. */
uint64_t aclprofGetOpEnd(const void *opInfo, uint64_t opInfoLen, uint32_t index);

/** Returns the time that an operator took. */
uint64_t aclprofGetOpDuration(const void *opInfo, uint64_t opInfoLen, uint32_t index);

/** Returns the subject of a record. */
aclprofSubscribeOpFlag aclprofGetOpFlag(const void *opInfo, uint64_t opInfoLen, uint32_t index);

/** Returns an attribute of an operator as text. NULL if it has none. */
const char *aclprofGetOpAttriValue(const void *opInfo, uint64_t opInfoLen, uint32_t index,
                                   aclprofSubscribeOpAttri attri);

#ifdef __cplusplus
}
#endif

#endif
