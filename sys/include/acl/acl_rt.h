/**
 * The runtime: devices, contexts, streams, events, callbacks, memory, errors and versions.
 *
 * Unless said otherwise a function returns 100000 (`ACL_ERROR_INVALID_PARAM`) for a required pointer or handle that is
 * NULL, and passes on the codes of the layer below (107…, 207…, 507…).
 */
#ifndef ACL_ACL_RT_H
#define ACL_ACL_RT_H

#include "acl_base_rt.h"
#include "rt/buffers.h"
#include "rt/cache.h"
#include "rt/copies.h"
#include "rt/counters.h"
#include "rt/device_numbers.h"
#include "rt/float_overflow.h"
#include "rt/graph.h"
#include "rt/graph_tasks.h"
#include "rt/groups.h"
#include "rt/health.h"
#include "rt/kernel.h"
#include "rt/kernel_info.h"
#include "rt/labels.h"
#include "rt/managed_memory.h"
#include "rt/memory_tasks.h"
#include "rt/memory_types.h"
#include "rt/notify.h"
#include "rt/resources.h"
#include "rt/sharing.h"
#include "rt/snapshot.h"
#include "rt/state_callbacks.h"
#include "rt/stream_settings.h"
#include "rt/tasks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Init, finalize, errors, versions */

/** The version of this interface. */
#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0

#define ACL_PKG_VERSION_MAX_SIZE       128
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64

/** A package of CANN. */
typedef enum aclCANNPackageName {
    ACL_PKG_NAME_CANN = 0,
    ACL_PKG_NAME_RUNTIME = 1,
    ACL_PKG_NAME_COMPILER = 2,
    ACL_PKG_NAME_HCCL = 3,
    ACL_PKG_NAME_TOOLKIT = 4,
    ACL_PKG_NAME_OPP = 5,
    ACL_PKG_NAME_OPP_KERNEL = 6,
    ACL_PKG_NAME_DRIVER = 7
} aclCANNPackageName;

/** Version of a package, as text that ends with NUL. */
typedef struct aclCANNPackageVersion {
    char version[ACL_PKG_VERSION_MAX_SIZE];
    char majorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char minorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char releaseVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char patchVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char reserved[ACL_PKG_VERSION_MAX_SIZE];
} aclCANNPackageVersion;

/** Scope of the last error. */
typedef enum aclrtLastErrLevel {
    ACL_RT_THREAD_LEVEL = 0
} aclrtLastErrLevel;

/**
 * Initialises the runtime. A second call returns 100002, which is no failure, and counts as one more user; one with
 * another configuration returns 100000.
 * @param configPath a JSON file; may be NULL
 */
aclError aclInit(const char *configPath);

/** Ends the runtime, however often it was initialised. 100037 when it has ended already. */
aclError aclFinalize(void);

/**
 * Undoes one `aclInit`, and ends the runtime with the last one. 100037 when it has ended already.
 * @param refCount receives the users left; may be NULL
 */
aclError aclFinalizeReference(uint64_t *refCount);

/**
 * Returns the last error message of this thread, or NULL. Reading clears it; the text lives until the next call on this
 * thread.
 */
const char *aclGetRecentErrMsg(void);

/**
 * Returns the last error of a task on this thread, and keeps it.
 * @param level `ACL_RT_THREAD_LEVEL`
 */
aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

/**
 * Returns the last error of a task on this thread, and clears it.
 * @param level `ACL_RT_THREAD_LEVEL`
 */
aclError aclrtGetLastError(aclrtLastErrLevel level);

/**
 * Returns the version of the runtime's interface, such as 1.16.0.
 * @param majorVersion receives the first number
 * @param minorVersion receives the second
 * @param patchVersion receives the third
 */
aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion);

/**
 * Returns the version of an installed package. 100003 if the file with the version is missing.
 * @param name the package
 * @param version receives the version
 */
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version);

/**
 * Returns the version of an installed package as text.
 * @param pkgName name of the package
 * @param versionStr receives the text; 128 bytes
 */
aclError aclsysGetVersionStr(char *pkgName, char *versionStr);

/**
 * Returns the version of an installed package as a number that grows from release to release.
 * @param pkgName name of the package
 * @param versionNum receives major · 10⁷ + minor · 10⁵ + patch · 10³, less some hundreds for a pre-release
 */
aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum);

/* Devices */

/** A feature is there. */
#define ACL_DEV_FEATURE_SUPPORT     0x00000001
/** A feature is missing. */
#define ACL_DEV_FEATURE_NOT_SUPPORT 0x00000000

/** The side on which the program runs. */
typedef enum aclrtRunMode {
    ACL_DEVICE = 0,
    ACL_HOST = 1
} aclrtRunMode;

/** The result of a float operation that overflows. */
typedef enum aclrtFloatOverflowMode {
    /** The largest finite number */
    ACL_RT_OVERFLOW_MODE_SATURATION = 0,
    /** Infinity or NaN */
    ACL_RT_OVERFLOW_MODE_INFNAN = 1,
    ACL_RT_OVERFLOW_MODE_UNDEF = 2
} aclrtFloatOverflowMode;

/** Health of a device. */
typedef enum aclrtDeviceStatus {
    ACL_RT_DEVICE_STATUS_NORMAL = 0,
    ACL_RT_DEVICE_STATUS_ABNORMAL = 1,
    ACL_RT_DEVICE_STATUS_END = 0xFFFF
} aclrtDeviceStatus;

/** A number that describes a device. */
typedef enum aclrtDevAttr {
    ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
    ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
    ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
    ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
    ACL_DEV_ATTR_WARP_SIZE = 202,
    ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
    ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204,
    /** From CANN 9.0.0 on */
    ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_MAX_GRID_DIM_X = 205,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212,
    ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 0x12d,
    ACL_DEV_ATTR_L2_CACHE_SIZE = 0x12e,
    ACL_DEV_ATTR_SMP_ID = 0x191,
    ACL_DEV_ATTR_PHY_CHIP_ID = 0x192,
    ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 0x193,
    /** From CANN 9.0.0 on */
    ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 0x193,
    ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 0x194,
    ACL_DEV_ATTR_SUPER_POD_ID = 0x195,
    ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 0x196,
    ACL_DEV_ATTR_MAINBOARD_ID = 0x197,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_HD_CONNECT_TYPE = 0x198,
    /** From CANN 9.2.0 on */
    ACL_DEV_ATTR_DEVICE_FORM_FACTOR = 0x199,
    ACL_DEV_ATTR_IS_VIRTUAL = 0x1f5,
    /** From CANN 9.1.0 on */
    ACL_DEV_ATTR_NPU_ARCH = 0x259
} aclrtDevAttr;

/** A feature that a device may have. */
typedef enum aclrtDevFeatureType {
    ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1,
    ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21
} aclrtDevFeatureType;

/** Identity of a device. */
typedef struct aclrtUuid {
    char bytes[16];
} aclrtUuid;

/**
 * Makes a device the current one of this thread, with its default context and stream, which all threads share. Each
 * call needs its own `aclrtResetDevice`.
 * @param deviceId the device
 */
aclError aclrtSetDevice(int32_t deviceId);

/**
 * Undoes one `aclrtSetDevice`; the last one releases the device.
 * @param deviceId the device
 */
aclError aclrtResetDevice(int32_t deviceId);

/**
 * Releases a device, however often it was set.
 * @param deviceId the device
 */
aclError aclrtResetDeviceForce(int32_t deviceId);

/**
 * Returns the current device of this thread. 107002 when there is none.
 * @param deviceId receives it
 */
aclError aclrtGetDevice(int32_t *deviceId);

/**
 * Returns the number of devices.
 * @param count receives it
 */
aclError aclrtGetDeviceCount(uint32_t *count);

/**
 * Returns the side on which this program runs.
 * @param runMode receives it
 */
aclError aclrtGetRunMode(aclrtRunMode *runMode);

/** Waits for all work on the current device. */
aclError aclrtSynchronizeDevice(void);

/**
 * Waits for all work on the current device. 507046 when the time is up.
 * @param timeout milliseconds; -1 for no limit, less gives 107000
 */
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/**
 * Sets the result that float operations give on overflow, for the current device.
 * @param mode the behaviour
 */
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);

/**
 * Returns the result that float operations give on overflow, for the current device.
 * @param mode receives the behaviour
 */
aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode);

/**
 * Returns the health of a device.
 * @param deviceId the device
 * @param deviceStatus receives it
 */
aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus);

/**
 * Returns a number that describes a device.
 * @param deviceId the device
 * @param attr which number
 * @param value receives it
 */
aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value);

/**
 * Returns whether a device has a feature.
 * @param deviceId the device
 * @param devFeatureType the feature
 * @param value receives `ACL_DEV_FEATURE_SUPPORT` or `ACL_DEV_FEATURE_NOT_SUPPORT`
 */
aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t *value);

/**
 * Returns the identity of a device.
 * @param deviceId the device
 * @param uuid receives it
 */
aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid);

/**
 * Returns the range of the priorities of streams; a smaller number goes first.
 * @param leastPriority receives the number that goes last
 * @param greatestPriority receives the number that goes first
 */
aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority, int32_t *greatestPriority);

/**
 * Returns whether a device can reach the memory of another. 100000 for equal devices.
 * @param canAccessPeer receives 1 or 0
 * @param deviceId the device that reaches
 * @param peerDeviceId the device that is reached
 */
aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId);

/**
 * Lets the current device reach the memory of another. 100000 for equal devices.
 * @param peerDeviceId the device that is reached
 * @param flags 0; else 200006
 */
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/**
 * Undoes `aclrtDeviceEnablePeerAccess`. 100000 for equal devices.
 * @param peerDeviceId the device that was reached
 */
aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/**
 * Returns whether one device may reach the memory of another.
 * @param deviceId the device that reaches
 * @param peerDeviceId the device that is reached
 * @param status receives 1 or 0
 */
aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status);

/* Contexts, switches, time limits of operators */

/** A switch of the process or of a context. */
typedef enum aclSysParamOpt {
    ACL_OPT_DETERMINISTIC = 0,
    ACL_OPT_ENABLE_DEBUG_KERNEL = 1,
    ACL_OPT_STRONG_CONSISTENCY = 2,
    /** From a release after 9.2 on */
    ACL_OPT_ENABLE_KERNEL_EARLY_START = 3
} aclSysParamOpt;

/**
 * Makes a context on a device.
 * @param context receives it
 * @param deviceId the device
 */
aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);

/** Destroys a context made by `aclrtCreateContext`. */
aclError aclrtDestroyContext(aclrtContext context);

/** Makes a context the current one of this thread. */
aclError aclrtSetCurrentContext(aclrtContext context);

/**
 * Returns the current context of this thread. 107002 when there is none.
 * @param context receives it
 */
aclError aclrtGetCurrentContext(aclrtContext *context);

/**
 * Returns the default stream of the current context.
 * @param stream receives it
 */
aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream);

/**
 * Returns the state of a switch of the current context.
 * @param opt which
 * @param value receives its state
 */
aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value);

/**
 * Sets a switch of the current context.
 * @param opt which
 * @param value its state
 */
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * Returns the state of a switch of the process. 107021 when it was never set.
 * @param opt which
 * @param value receives its state
 */
aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value);

/**
 * Sets a switch of the process.
 * @param opt which
 * @param value its state
 */
aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * Limits the time that a stream waits for an event.
 * @param timeout the limit
 */
aclError aclrtSetOpWaitTimeout(uint32_t timeout);

/**
 * Limits the time that an operator runs.
 * @param timeout the limit
 */
aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);

/**
 * Limits the time that an operator runs.
 * @param timeout milliseconds
 */
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);

/**
 * Limits the time that an operator runs.
 * @param timeout the limit
 * @param actualTimeout receives the limit that the hardware keeps
 */
aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout);

/**
 * Returns the step to which the hardware rounds time limits.
 * @param interval receives the step
 */
aclError aclrtGetOpTimeOutInterval(uint64_t *interval);

/* Streams */

#define ACL_STREAM_FAST_LAUNCH     0x00000001U
#define ACL_STREAM_FAST_SYNC       0x00000002U
#define ACL_STREAM_PERSISTENT      0x00000004U
#define ACL_STREAM_HUGE            0x00000008U
#define ACL_STREAM_CPU_SCHEDULE    0x00000010U
#define ACL_STREAM_DEVICE_USE_ONLY 0x00000020U

/** A stream goes on after a failed task. */
#define ACL_CONTINUE_ON_FAILURE 0x00000000U
/** A stream stops at a failed task. */
#define ACL_STOP_ON_FAILURE     0x00000001U

/** The state of a stream: with work left or without. */
typedef enum aclrtStreamStatus {
    ACL_STREAM_STATUS_COMPLETE = 0,
    ACL_STREAM_STATUS_NOT_READY = 1,
    ACL_STREAM_STATUS_RESERVED = 0xFFFF
} aclrtStreamStatus;

/**
 * Makes a stream in the current context.
 * @param stream receives it
 */
aclError aclrtCreateStream(aclrtStream *stream);

/**
 * Makes a stream in the current context.
 * @param stream receives it
 * @param priority smaller goes first
 * @param flag a sum of `ACL_STREAM_…`
 */
aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag);

/** Waits for the work of a stream and destroys it. */
aclError aclrtDestroyStream(aclrtStream stream);

/** Destroys a stream at once, with the work left in it. */
aclError aclrtDestroyStreamForce(aclrtStream stream);

/** Waits for the work of a stream. One made with PERSISTENT, CPU_SCHEDULE or DEVICE_USE_ONLY is not waited for. */
aclError aclrtSynchronizeStream(aclrtStream stream);

/**
 * Waits for the work of a stream. 507046 when the time is up.
 * @param stream the stream
 * @param timeout milliseconds; -1 for no limit, less gives 107000
 */
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/**
 * Returns whether a stream has work left.
 * @param stream the stream
 * @param status receives the answer
 */
aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);

/**
 * Returns the number of a stream.
 * @param stream the stream
 * @param streamId receives it
 */
aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId);

/**
 * Returns the priority of a stream; smaller goes first.
 * @param stream the stream
 * @param priority receives it
 */
aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority);

/**
 * Returns the flags that a stream was made with.
 * @param stream the stream
 * @param flags receives the sum of `ACL_STREAM_…`
 */
aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags);

/**
 * Lets a stream wait for an event before its next work.
 * @param stream the stream
 * @param event the event
 */
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/**
 * Lets a stream wait for an event before its next work, for a while.
 * @param stream the stream
 * @param event the event
 * @param timeout milliseconds, at least 0
 */
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout);

/** Discards the work left in a stream. */
aclError aclrtStreamAbort(aclrtStream stream);

/**
 * Sets whether a stream goes on or stops after a failed task.
 * @param stream the stream
 * @param mode `ACL_CONTINUE_ON_FAILURE` or `ACL_STOP_ON_FAILURE`
 */
aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/**
 * Returns the number of streams that can still be made.
 * @param streamCount receives it
 */
aclError aclrtGetStreamAvailableNum(uint32_t *streamCount);

/* Events */

/** The event may be waited for and reset. */
#define ACL_EVENT_SYNC                    0x00000001U
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U
/** The event records the time. */
#define ACL_EVENT_TIME_LINE               0x00000008U
#define ACL_EVENT_DEVICE_USE_ONLY         0x00000010U
#define ACL_EVENT_EXTERNAL                0x00000020U
/** The event can be shared with other processes. */
#define ACL_EVENT_IPC                     0x00000040U

/** The state of an event, for `aclrtQueryEvent`. 0 is complete, unlike `aclrtEventRecordedStatus`. */
typedef enum aclrtEventStatus {
    ACL_EVENT_STATUS_COMPLETE = 0,
    ACL_EVENT_STATUS_NOT_READY = 1,
    ACL_EVENT_STATUS_RESERVED = 2
} aclrtEventStatus;

/** The state of an event, for `aclrtQueryEventStatus`. 1 is complete, unlike `aclrtEventStatus`. */
typedef enum aclrtEventRecordedStatus {
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
    ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
} aclrtEventRecordedStatus;

/** The state of the wait of streams for an event. */
typedef enum aclrtEventWaitStatus {
    ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
    ACL_EVENT_WAIT_STATUS_NOT_READY = 1,
    ACL_EVENT_WAIT_STATUS_RESERVED = 0xFFFF
} aclrtEventWaitStatus;

/**
 * Makes an event that may be recorded and waited for, and not reset.
 * @param event receives it
 */
aclError aclrtCreateEvent(aclrtEvent *event);

/**
 * Makes an event.
 * @param event receives it
 * @param flag a sum of `ACL_EVENT_…`
 */
aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);

/**
 * Makes an event that may be recorded again, and not be used with `aclrtResetEvent`, `aclrtQueryEvent` or
 * `aclrtQueryEventWaitStatus`. Before its first record it counts as complete.
 * @param event receives it
 * @param flag a sum of `ACL_EVENT_…`
 */
aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag);

/** Destroys an event, which need not be complete. */
aclError aclrtDestroyEvent(aclrtEvent event);

/**
 * Marks the work given to a stream so far.
 * @param event the mark
 * @param stream the stream
 */
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/**
 * Makes an event as if it had never been recorded, in the order of a stream.
 * @param event the event
 * @param stream the stream
 */
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/**
 * Returns whether an event is complete. 0 is complete, unlike `aclrtQueryEventStatus`.
 * @param event the event
 * @param status receives the answer
 */
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);

/**
 * Returns whether an event is complete. 1 is complete, unlike `aclrtQueryEvent`.
 * @param event the event
 * @param status receives the answer
 */
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status);

/**
 * Returns whether the streams that wait for an event have passed it.
 * @param event the event
 * @param status receives the answer
 */
aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status);

/** Waits until an event is complete. */
aclError aclrtSynchronizeEvent(aclrtEvent event);

/**
 * Waits until an event is complete. 507047 when the time is up.
 * @param event the event
 * @param timeout milliseconds; -1 for no limit, less gives 107000
 */
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/**
 * Returns the time between two events that record the time.
 * @param ms receives milliseconds
 * @param startEvent the earlier event
 * @param endEvent the later event
 */
aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent);

/**
 * Returns the time at which an event that records the time was complete.
 * @param event the event
 * @param timestamp receives the time
 */
aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp);

/**
 * Returns the number of an event.
 * @param event the event
 * @param eventId receives it
 */
aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId);

/**
 * Returns the number of events that can still be made.
 * @param eventCount receives it
 */
aclError aclrtGetEventAvailNum(uint32_t *eventCount);

/* Callbacks on the host. Inside one, work must not be submitted, waited for or aborted, nor memory taken or released. */

/** The mode of a callback: the stream waits for its return, or does not. */
typedef enum aclrtCallbackBlockType {
    ACL_CALLBACK_NO_BLOCK = 0,
    ACL_CALLBACK_BLOCK = 1
} aclrtCallbackBlockType;

/**
 * Calls a function on a thread of the runtime in stream order; the stream waits for it. Not on a stream that
 * also uses `aclrtLaunchCallback`.
 * @param stream the stream
 * @param fn the function
 * @param args passed to it
 */
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args);

/**
 * Calls a function on the subscribed thread in stream order.
 * @param fn the function
 * @param userData passed to it
 * @param blockType whether the stream waits for it
 * @param stream the stream
 */
aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, aclrtStream stream);

/**
 * Lets a thread run the callbacks of a stream.
 * @param threadId the thread, as `pthread_self` returns it
 * @param stream the stream
 */
aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);

/**
 * Runs the callbacks that are due on this thread. 507012 when the time is up, 107012 for a thread that never subscribed.
 * @param timeout milliseconds, more than 0; -1 for no limit, others give 100000
 */
aclError aclrtProcessReport(int32_t timeout);

/**
 * Undoes `aclrtSubscribeReport`.
 * @param threadId the thread
 * @param stream the stream
 */
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

/* Memory */

/** Size of the pages of an allocation, and who may reach it. */
typedef enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST = 0,
    ACL_MEM_MALLOC_HUGE_ONLY = 1,
    ACL_MEM_MALLOC_NORMAL_ONLY = 2,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
    ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
    ACL_MEM_MALLOC_HUGE1G_ONLY = 6,
    ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7,
    ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x100,
    ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
    ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000
} aclrtMemMallocPolicy;

/** A kind of device memory. */
typedef enum aclrtMemAttr {
    ACL_DDR_MEM = 0,
    ACL_HBM_MEM = 1,
    ACL_DDR_MEM_HUGE = 2,
    ACL_DDR_MEM_NORMAL = 3,
    ACL_HBM_MEM_HUGE = 4,
    ACL_HBM_MEM_NORMAL = 5,
    ACL_DDR_MEM_P2P_HUGE = 6,
    ACL_DDR_MEM_P2P_NORMAL = 7,
    ACL_HBM_MEM_P2P_HUGE = 8,
    ACL_HBM_MEM_P2P_NORMAL = 9,
    ACL_HBM_MEM_HUGE1G = 10,
    ACL_HBM_MEM_P2P_HUGE1G = 11,
    ACL_MEM_NORMAL = 12,
    ACL_MEM_HUGE = 13,
    ACL_MEM_HUGE1G = 14,
    ACL_MEM_P2P_NORMAL = 15,
    ACL_MEM_P2P_HUGE = 16,
    ACL_MEM_P2P_HUGE1G = 17
} aclrtMemAttr;

/** An attribute of an allocation. */
typedef enum aclrtMallocAttrType {
    ACL_RT_MEM_ATTR_RSV = 0,
    ACL_RT_MEM_ATTR_MODULE_ID = 1,
    ACL_RT_MEM_ATTR_DEVICE_ID = 2,
    ACL_RT_MEM_ATTR_VA_FLAG = 3
} aclrtMallocAttrType;

/** The way in which `aclrtHostRegister` registers host memory. */
typedef enum aclrtHostRegisterType {
    ACL_HOST_REGISTER_MAPPED = 0,
    /** From CANN 9.0.0 on */
    ACL_HOST_REGISTER_IOMEMORY = 4,
    /** From CANN 9.0.0 on */
    ACL_HOST_REGISTER_READONLY = 8
} aclrtHostRegisterType;

/** Host memory registered with a device address, for `aclrtHostRegisterV2`. */
#define ACL_HOST_REG_MAPPED   0x00000002UL
#define ACL_HOST_REG_IOMEMORY 0x00000004UL
#define ACL_HOST_REG_READONLY 0x00000008UL
#define ACL_HOST_REG_PINNED   0x10000000UL

/** Value of an attribute of an allocation. */
typedef union aclrtMallocAttrValue {
    uint16_t moduleId;
    uint32_t deviceId;
    uint32_t vaFlag;
    uint8_t rsv[8];
} aclrtMallocAttrValue;

/** An attribute of an allocation. */
typedef struct aclrtMallocAttribute {
    aclrtMallocAttrType attr;
    aclrtMallocAttrValue value;
} aclrtMallocAttribute;

/** Attributes of an allocation. */
typedef struct aclrtMallocConfig {
    aclrtMallocAttribute *attrs;
    size_t numAttrs;
} aclrtMallocConfig;

/** The attributes of the memory that a pointer points to. */
typedef struct aclrtPtrAttributes {
    aclrtMemLocation location;
    /** Bytes */
    uint32_t pageSize;
    uint32_t rsv[4];
} aclrtPtrAttributes;

/** Memory taken by one module. */
typedef struct aclrtMemUsageInfo {
    char name[32];
    /** Bytes */
    uint64_t curMemSize;
    /** Bytes */
    uint64_t memPeakSize;
    size_t reserved[8];
} aclrtMemUsageInfo;

/**
 * Allocates device memory, aligned to 512 bytes, contents undefined, with 32 spare bytes behind it. 100000 for 0 bytes.
 * @param devPtr receives the address
 * @param size bytes
 * @param policy size of the pages
 */
aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * Allocates device memory in multiples of 32 bytes, without spare bytes behind it. 100000 for 0 bytes.
 * @param devPtr receives the address
 * @param size bytes
 * @param policy size of the pages
 */
aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * Allocates device memory that is cached. 100000 for 0 bytes.
 * @param devPtr receives the address
 * @param size bytes
 * @param policy size of the pages
 */
aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * Allocates device memory with attributes. 100000 for 0 bytes.
 * @param devPtr receives the address
 * @param size bytes
 * @param policy size of the pages
 * @param cfg attributes; may be NULL
 */
aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg);

/** Frees device memory, without waiting for work that uses it. 100000 for NULL. */
aclError aclrtFree(void *devPtr);

/** Waits for all work on the device and frees device memory. 100000 for NULL. */
aclError aclrtFreeWithDevSync(void *devPtr);

/**
 * Takes pinned host memory, aligned to 64 bytes. 100000 for 0 bytes.
 * @param hostPtr receives the address
 * @param size bytes
 */
aclError aclrtMallocHost(void **hostPtr, size_t size);

/**
 * Takes pinned host memory with attributes. 100000 for 0 bytes.
 * @param ptr receives the address
 * @param size bytes
 * @param cfg attributes; may be NULL
 */
aclError aclrtMallocHostWithCfg(void **ptr, uint64_t size, aclrtMallocConfig *cfg);

/** Frees pinned host memory. 100000 for NULL. */
aclError aclrtFreeHost(void *hostPtr);

/** Waits for all work on the device and frees pinned host memory. 100000 for NULL. */
aclError aclrtFreeHostWithDevSync(void *hostPtr);

/**
 * Copies at once. The direction follows from the pointers. Copying 0 bytes succeeds from CANN 9.1 on and gives 107000
 * before.
 * @param dst where to
 * @param destMax bytes there; less than `count` gives 107000
 * @param src where from
 * @param count bytes to copy
 * @param kind direction
 */
aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind);

/**
 * Copies in stream order; both sides must live until then. From host to host gives 207000.
 * @param dst where to
 * @param destMax bytes there; less than `count` gives 107000
 * @param src where from
 * @param count bytes to copy
 * @param kind direction
 * @param stream the stream
 */
aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream);

/**
 * Copies a rectangle at once. Not from host to host.
 * @param dst where to
 * @param dpitch bytes from one row to the next there
 * @param src where from
 * @param spitch bytes from one row to the next there
 * @param width bytes of a row; more than a pitch gives 100000
 * @param height rows
 * @param kind direction
 */
aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind);

/**
 * Copies a rectangle in stream order. Not from host to host.
 * @param dst where to
 * @param dpitch bytes from one row to the next there
 * @param src where from
 * @param spitch bytes from one row to the next there
 * @param width bytes of a row; more than a pitch gives 100000
 * @param height rows
 * @param kind direction
 * @param stream the stream
 */
aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream);

/**
 * Sets bytes at once. Setting 0 bytes succeeds from CANN 9.1 on and gives 107000 before.
 * @param devPtr where
 * @param maxCount bytes there; less than `count` gives 107000
 * @param value the byte
 * @param count bytes to set
 */
aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count);

/**
 * Sets bytes in stream order.
 * @param devPtr where
 * @param maxCount bytes there; less than `count` gives 107000
 * @param value the byte
 * @param count bytes to set
 * @param stream the stream
 */
aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream);

/**
 * Sets words of 32 bits at once. CANN 9.1 and later.
 * @param ptr where
 * @param memSize bytes there
 * @param value the word
 * @param N words to set
 */
aclError aclrtMemsetD32(void *ptr, size_t memSize, uint32_t value, size_t N);

/**
 * Sets words of 32 bits in stream order. CANN 9.1 and later.
 * @param ptr where
 * @param memSize bytes there
 * @param value the word
 * @param N words to set
 * @param stream the stream
 */
aclError aclrtMemsetD32Async(void *ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream);

/**
 * Returns the free and total memory of the current device.
 * @param attr kind of memory
 * @param free receives bytes
 * @param total receives bytes
 */
aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total);

/**
 * Returns the memory that each module of a device uses.
 * @param deviceId the device
 * @param memUsageInfo receives one entry per module
 * @param inputNum entries there
 * @param outputNum receives the entries written
 */
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo, size_t inputNum, size_t *outputNum);

/**
 * Returns the attributes of the memory that a pointer points to.
 * @param ptr the pointer
 * @param attributes receives the answer
 */
aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes);

/**
 * Lets the device reach host memory.
 * @param ptr start
 * @param size bytes
 * @param type how
 * @param devPtr receives the address on the device
 */
aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr);

/**
 * Pins host memory, or lets the device reach it.
 * @param ptr start
 * @param size bytes
 * @param flag a sum of `ACL_HOST_REG_…`
 */
aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag);

/** Undoes `aclrtHostRegister` or `aclrtHostRegisterV2`. */
aclError aclrtHostUnregister(void *ptr);

/**
 * Returns the device address of registered host memory.
 * @param pHost address on the host
 * @param pDevice receives the address on the device
 * @param flag 0
 */
aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag);

/* Virtual memory: reserve addresses, take physical memory, map, use, unmap, free, release. */

/** Kind of a physical allocation. */
typedef enum aclrtMemAllocationType {
    ACL_MEM_ALLOCATION_TYPE_PINNED = 0
} aclrtMemAllocationType;

/** The granularity that is asked for. */
typedef enum aclrtMemGranularityOptions {
    ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
    ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 0xFFFF
} aclrtMemGranularityOptions;

/** The access that a device has to mapped memory. */
typedef enum aclrtMemAccessFlags {
    ACL_RT_MEM_ACCESS_FLAGS_NONE = 0,
    ACL_RT_MEM_ACCESS_FLAGS_READ = 1,
    ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3
} aclrtMemAccessFlags;

/** Properties of physical memory. */
typedef struct aclrtPhysicalMemProp {
    aclrtMemHandleType handleType;
    aclrtMemAllocationType allocationType;
    aclrtMemAttr memAttr;
    aclrtMemLocation location;
    uint64_t reserve;
} aclrtPhysicalMemProp;

/** The access that one device has to mapped memory. */
typedef struct aclrtMemAccessDesc {
    aclrtMemAccessFlags flags;
    aclrtMemLocation location;
    uint8_t rsv[12];
} aclrtMemAccessDesc;

/**
 * Reserves addresses.
 * @param virPtr receives the first
 * @param size bytes
 * @param alignment 0
 * @param expectPtr address to prefer; may be NULL
 * @param flags 0
 */
aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags);

/** Undoes `aclrtReserveMemAddress`. */
aclError aclrtReleaseMemAddress(void *virPtr);

/**
 * Allocates physical memory.
 * @param handle receives it
 * @param size bytes, a multiple of the granularity
 * @param prop its properties
 * @param flags 0
 */
aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size, const aclrtPhysicalMemProp *prop, uint64_t flags);

/** Frees physical memory. */
aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/**
 * Puts physical memory at reserved addresses.
 * @param virPtr the first address, anywhere in a reserved range
 * @param size bytes, as many as the physical memory has
 * @param offset 0
 * @param handle the physical memory
 * @param flags 0
 */
aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags);

/** Undoes `aclrtMapMem`. */
aclError aclrtUnmapMem(void *virPtr);

/**
 * Returns the granularity of physical memory.
 * @param prop its properties
 * @param option which step
 * @param granularity receives bytes
 */
aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop, aclrtMemGranularityOptions option,
                                          size_t *granularity);

/**
 * Sets what devices may do with mapped memory.
 * @param virPtr start
 * @param size bytes
 * @param desc one entry per device
 * @param count entries
 */
aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc, size_t count);

/**
 * Returns the access that a device has to mapped memory.
 * @param virPtr an address in it
 * @param location the device
 * @param flag receives an `aclrtMemAccessFlags`
 */
aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location, uint64_t *flag);

/**
 * Returns the physical memory behind a mapped address.
 * @param virPtr the address
 * @param handle receives the physical memory
 */
aclError aclrtMemRetainAllocationHandle(void *virPtr, aclrtDrvMemHandle *handle);

/**
 * Returns the properties of physical memory.
 * @param handle the physical memory
 * @param prop receives them
 */
aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle, aclrtPhysicalMemProp *prop);

/** Allocates device memory that the scheduler of the device reaches. */
aclError aclrtMallocForTaskScheduler(void **devPtr, uint64_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg);

#ifdef __cplusplus
}
#endif

#endif
