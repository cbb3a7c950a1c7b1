/**
 * Errors of devices and their repair, and the load of a device; part of `acl_rt.h`.
 */
#ifndef ACL_RT_HEALTH_H
#define ACL_RT_HEALTH_H

#include "../acl_base_rt.h"
#include "memory_tasks.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Kind of an error of a device. */
typedef enum aclrtErrorType {
    ACL_RT_NO_ERROR = 0,
    ACL_RT_ERROR_MEMORY = 1,
    ACL_RT_ERROR_L2 = 2,
    ACL_RT_ERROR_AICORE = 3,
    ACL_RT_ERROR_LINK = 4,
    /** From CANN 9.1.0 on */
    ACL_RT_ERROR_L3_PORT = 5,
    ACL_RT_ERROR_OTHERS = 0xFFFF
} aclrtErrorType;

/** Cause of an error of a core. */
typedef enum aclrtAicoreErrorType {
    ACL_RT_AICORE_ERROR_UNKNOWN = 0,
    ACL_RT_AICORE_ERROR_SW = 1,
    ACL_RT_AICORE_ERROR_HW_LOCAL = 2
} aclrtAicoreErrorType;

/** More about an error of a device. */
typedef union aclrtErrorInfoDetail {
    aclrtMemUceInfoArray uceInfo;
    aclrtAicoreErrorType aicoreErrType;
} aclrtErrorInfoDetail;

/** An error of a device. */
typedef struct aclrtErrorInfo {
    uint8_t tryRepair;
    uint8_t hasDetail;
    uint8_t reserved[2];
    aclrtErrorType errorType;
    aclrtErrorInfoDetail detail;
} aclrtErrorInfo;

/** More about the load of a device. */
typedef struct aclrtUtilizationExtendInfo aclrtUtilizationExtendInfo;

/** Load of a device, in percent. */
typedef struct aclrtUtilizationInfo {
    int32_t cubeUtilization;
    int32_t vectorUtilization;
    int32_t aicpuUtilization;
    int32_t memoryUtilization;
    aclrtUtilizationExtendInfo *utilizationExtend;
} aclrtUtilizationInfo;

/** An exception of a task on a device. */
typedef struct rtExceptionInfo aclrtExceptionInfo;

/** Called with an exception, which lives until it returns. */
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo *exceptionInfo);

/**
 * Returns the error of a device.
 * @param deviceId the device
 * @param errorInfo receives it
 */
aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo);

/**
 * Repairs an error of a device.
 * @param deviceId the device
 * @param errorInfo the error
 */
aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo);

/**
 * Discards all work of a device.
 * @param deviceId the device
 * @param timeout milliseconds to wait for it; 0 for no limit
 */
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);

/**
 * Returns the load of a device.
 * @param deviceId the device
 * @param utilizationInfo receives it
 */
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo *utilizationInfo);

/**
 * Returns the process id of this process outside of containers.
 * @param pid receives it
 */
aclError aclrtDeviceGetBareTgid(int32_t *pid);

/**
 * Returns whether the default context of a device exists.
 * @param deviceId the device
 * @param flags receives 0; may be NULL
 * @param active receives 1 or 0; may be NULL
 */
aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active);

/**
 * Returns the number that the driver knows a device by.
 * @param userDevid the number that programs use
 * @param logicDevId receives the number
 */
aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t *const logicDevId);

/**
 * Sets the function that is called when a task fails on a device.
 * @param callback the function; NULL for none
 */
aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);

/** Returns the number of the task that failed. */
uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info);

/** Returns the number of the stream of the task that failed. */
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info);

/** Returns the number of the thread that submitted the task that failed. */
uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info);

/** Returns the device on which the task failed. */
uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info);

/** Returns the error code of the task that failed. */
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info);

#ifdef __cplusplus
}
#endif

#endif
