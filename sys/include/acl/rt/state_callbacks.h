/**
 * Functions that are called back: by streams, and when the runtime, a device or a stream begins or ends; part of
 * `acl_rt.h`.
 */
#ifndef ACL_RT_STATE_CALLBACKS_H
#define ACL_RT_STATE_CALLBACKS_H

#include "../acl_base_rt.h"
#include "health.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A function called on the thread that processes reports. */
typedef void (*aclrtCallback)(void *userData);

/** A function called on a thread of the runtime. */
typedef void (*aclrtHostFunc)(void *args);

/** The part of CANN that begins or ends. */
typedef enum aclRegisterCallbackType {
    ACL_REG_TYPE_ACL_MODEL = 0,
    ACL_REG_TYPE_ACL_OP_EXECUTOR = 1,
    ACL_REG_TYPE_ACL_OP_CBLAS = 2,
    ACL_REG_TYPE_ACL_OP_COMPILER = 3,
    ACL_REG_TYPE_ACL_TDT_CHANNEL = 4,
    ACL_REG_TYPE_ACL_TDT_QUEUE = 5,
    ACL_REG_TYPE_ACL_DVPP = 6,
    ACL_REG_TYPE_ACL_RETR = 7,
    ACL_REG_TYPE_OTHER = 0xFFFF
} aclRegisterCallbackType;

/** The change of a device that a callback hears of. */
typedef enum aclrtDeviceState {
    ACL_RT_DEVICE_STATE_SET_PRE = 0,
    ACL_RT_DEVICE_STATE_SET_POST = 1,
    ACL_RT_DEVICE_STATE_RESET_PRE = 2,
    ACL_RT_DEVICE_STATE_RESET_POST = 3
} aclrtDeviceState;

/** The stage of a callback: before or after the work of a device is discarded. */
typedef enum aclrtDeviceTaskAbortStage {
    ACL_RT_DEVICE_TASK_ABORT_PRE = 0,
    ACL_RT_DEVICE_TASK_ABORT_POST = 1
} aclrtDeviceTaskAbortStage;

/** The change of a stream that a callback hears of. */
typedef enum aclrtStreamState {
    ACL_RT_STREAM_STATE_CREATE_POST = 1,
    ACL_RT_STREAM_STATE_DESTROY_PRE = 2
} aclrtStreamState;

/** Called by `aclInit` with the text of the configuration, its bytes, and the pointer given with the function. */
typedef aclError (*aclInitCallbackFunc)(const char *configStr, size_t len, void *userData);

/** Called by `aclFinalize` with the pointer given with the function. */
typedef aclError (*aclFinalizeCallbackFunc)(void *userData);

/** Called with a device, its change, and the pointer given with the function. */
typedef void (*aclrtDeviceStateCallback)(int32_t deviceId, aclrtDeviceState state, void *args);

/** Called with a stream, its change, and the pointer given with the function. */
typedef void (*aclrtStreamStateCallback)(aclrtStream stream, aclrtStreamState state, void *args);

/** Called with a device, the stage, milliseconds, and the pointer given with the function. */
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t deviceId, aclrtDeviceTaskAbortStage stage, uint32_t timeout,
                                                void *args);

/** Sets the function that `aclInit` calls. */
aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void *userData);

/** Undoes `aclInitCallbackRegister`. */
aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc);

/** Sets the function that `aclFinalize` calls. */
aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc, void *userData);

/** Undoes `aclFinalizeCallbackRegister`. */
aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc);

/** Sets the function that is called when a device is set or reset; NULL removes the function of that name. */
aclError aclrtRegDeviceStateCallback(const char *regName, aclrtDeviceStateCallback callback, void *args);

/** Sets the function that is called when a stream is made or destroyed; NULL removes the function of that name. */
aclError aclrtRegStreamStateCallback(const char *regName, aclrtStreamStateCallback callback, void *args);

/** Sets the function that is called when the work of a device is discarded; NULL removes it. */
aclError aclrtSetDeviceTaskAbortCallback(const char *regName, aclrtDeviceTaskAbortCallback callback, void *args);

/** Adds a function that is called when a task fails on a device. */
aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback);

/** Undoes `aclrtExceptionInfoCallbackRegister`. */
aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback);

/** Lets a thread run the host functions of a stream. */
aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);

/** Runs the host functions that are due on this thread. */
aclError aclrtProcessHostFunc(int32_t timeout);

/** Undoes `aclrtSubscribeHostFunc`. */
aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);

#ifdef __cplusplus
}
#endif

#endif
