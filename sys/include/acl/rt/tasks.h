/**
 * Tasks of a stream that are replaced, named or fill memory with random numbers; part of `acl_rt.h`.
 */
#ifndef ACL_RT_TASKS_H
#define ACL_RT_TASKS_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A kind of task that is replaced. The name of the type is chosen here. */
typedef enum aclrtUpdateTaskAttrId {
    ACL_RT_UPDATE_RANDOM_TASK = 1,
    ACL_RT_UPDATE_AIC_AIV_TASK = 2
} aclrtUpdateTaskAttrId;

/** The replacement of a task of random numbers. */
typedef struct aclrtRandomTaskUpdateAttr {
    void *srcAddr;
    size_t size;
    uint32_t rsv[4];
} aclrtRandomTaskUpdateAttr;

/** The replacement of a launch of a kernel. */
typedef struct aclrtAicAivTaskUpdateAttr {
    void *binHandle;
    void *funcEntryAddr;
    void *blockDimAddr;
    uint32_t rsv[4];
} aclrtAicAivTaskUpdateAttr;

/** The replacement of a task, by its kind. */
typedef union aclrtUpdateTaskAttrVal {
    aclrtRandomTaskUpdateAttr randomTaskAttr;
    aclrtAicAivTaskUpdateAttr aicAivTaskAttr;
} aclrtUpdateTaskAttrVal;

/** The replacement of a task. */
typedef struct aclrtTaskUpdateInfo {
    aclrtUpdateTaskAttrId id;
    aclrtUpdateTaskAttrVal val;
} aclrtTaskUpdateInfo;

/** A distribution of random numbers. The name of the type is chosen here. */
typedef enum aclrtRandomNumFuncType {
    ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3
} aclrtRandomNumFuncType;

/** A number of a distribution: its bytes, or the address of them. */
typedef struct aclrtRandomParaInfo {
    uint8_t isAddr;
    uint8_t valueOrAddr[8];
    uint8_t size;
    uint8_t rsv[6];
} aclrtRandomParaInfo;

/** Bits that keep an element or drop it. */
typedef struct aclrtDropoutBitmaskInfo {
    aclrtRandomParaInfo dropoutRation;
} aclrtDropoutBitmaskInfo;

/** Numbers that are all equally likely. */
typedef struct aclrtUniformDisInfo {
    aclrtRandomParaInfo min;
    aclrtRandomParaInfo max;
} aclrtUniformDisInfo;

/** Normal numbers. */
typedef struct aclrtNormalDisInfo {
    aclrtRandomParaInfo mean;
    aclrtRandomParaInfo stddev;
} aclrtNormalDisInfo;

/** The numbers of a distribution, by its kind. The names of the members are chosen here. */
typedef union aclrtRandomNumFuncParaDetails {
    aclrtDropoutBitmaskInfo dropoutBitmaskInfo;
    aclrtUniformDisInfo uniformDisInfo;
    aclrtNormalDisInfo normalDisInfo;
} aclrtRandomNumFuncParaDetails;

/** A distribution. */
typedef struct aclrtRandomNumFuncParaInfo {
    aclrtRandomNumFuncType funcType;
    aclrtRandomNumFuncParaDetails paramInfo;
} aclrtRandomNumFuncParaInfo;

/** A task that fills memory with random numbers. */
typedef struct aclrtRandomNumTaskInfo {
    aclDataType dataType;
    aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
    void *randomParaAddr;
    void *randomResultAddr;
    void *randomCounterAddr;
    aclrtRandomParaInfo randomSeed;
    aclrtRandomParaInfo randomNum;
    uint8_t rsv[8];
} aclrtRandomNumTaskInfo;

/** Replaces a task in stream order. */
aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId, aclrtTaskUpdateInfo *info,
                              aclrtStream execStream);

/** Fills memory with random numbers in stream order. */
aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo *taskInfo, aclrtStream const stream, void *reserve);

/** Returns the number of the task that this thread submitted last. */
aclError aclrtGetThreadLastTaskId(uint32_t *taskId);

/** Keeps the description of the operator of the last task of this thread. */
aclError aclrtCacheLastTaskOpInfo(const void *const infoPtr, const uint64_t infoSize);

/** Keeps a text with the last task of this thread. */
aclError aclrtCacheLastTaskExtendInfo(const char *const extendInfoPtr, const uint64_t infoSize);

/** Returns the number of milliseconds that an operator may run. */
aclError aclrtGetOpExecuteTimeout(uint32_t *const timeoutMs);

/** Puts bytes into the record of the profiler in stream order. */
aclError aclrtProfTrace(void *userdata, int32_t length, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
