// Written by `cargo xtask bindings` from `include/`; change the headers instead.

use super::types::*;
use crate::table::table;
use core::ffi::*;

table! {
    /// Devices, contexts, streams, events, callbacks, memory, errors, versions.
    pub struct Runtime, types in runtime_pfn;

    /// Describes a region; the memory is borrowed. NULL on failure.
    ///
    /// - `data`: start of the region
    /// - `size`: bytes
    pub fn aclCreateDataBuffer(
        data: *mut c_void,
        size: usize,
    ) -> *mut aclDataBuffer;
    /// Frees the description, not the memory.
    pub fn aclDestroyDataBuffer(dataBuffer: *const aclDataBuffer) -> aclError;
    /// Describes another region with the same object.
    ///
    /// - `data`: start of the region
    /// - `size`: bytes
    pub fn aclUpdateDataBuffer(
        dataBuffer: *mut aclDataBuffer,
        data: *mut c_void,
        size: usize,
    ) -> aclError;
    /// Start of the region.
    pub fn aclGetDataBufferAddr(
        dataBuffer: *const aclDataBuffer,
    ) -> *mut c_void;
    /// Bytes of the region, cut to 32 bits: `aclGetDataBufferSizeV2` gives all.
    pub fn aclGetDataBufferSize(dataBuffer: *const aclDataBuffer) -> u32;
    /// Bytes of the region.
    pub fn aclGetDataBufferSizeV2(dataBuffer: *const aclDataBuffer) -> usize;
    /// Bytes of one element: 0 for strings and the undefined type. Not for packed types: INT4 and UINT1 give 1, the 6 and 4
    /// bit floats give 8.
    pub fn aclDataTypeSize(dataType: aclDataType) -> usize;
    /// Widens binary16 bits to f32.
    pub fn aclFloat16ToFloat(value: aclFloat16) -> f32;
    /// Narrows f32 to binary16 bits.
    pub fn aclFloatToFloat16(value: f32) -> aclFloat16;
    /// Name of the product, such as Ascend910B1. NULL on failure.
    pub fn aclrtGetSocName() -> *const c_char;
    /// Lists the attributes that this product has.
    ///
    /// - `cannAttrList`: receives a pointer to the list, which stays the library's
    /// - `num`: receives its length
    pub fn aclGetCannAttributeList(
        cannAttrList: *mut *const aclCannAttr,
        num: *mut usize,
    ) -> aclError;
    /// Asks for one attribute.
    ///
    /// - `cannAttr`: which
    /// - `value`: receives 1 where the product has it, else 0
    pub fn aclGetCannAttribute(cannAttr: aclCannAttr, value: *mut i32) -> aclError;
    /// Asks for a number that describes a device.
    ///
    /// - `deviceId`: the device
    /// - `deviceInfo`: which number
    /// - `value`: receives it
    pub fn aclGetDeviceCapability(
        deviceId: u32,
        deviceInfo: aclDeviceInfo,
        value: *mut i64,
    ) -> aclError;
    /// Initialises the runtime. A second call returns 100002, which is no failure, and counts as one more user; one with
    /// another configuration returns 100000.
    ///
    /// - `configPath`: a JSON file; may be NULL
    pub fn aclInit(configPath: *const c_char) -> aclError;
    /// Ends the runtime, however often it was initialised. 100037 when it has ended already.
    pub fn aclFinalize() -> aclError;
    /// Takes back one `aclInit`, and ends the runtime with the last one. 100037 when it has ended already.
    ///
    /// - `refCount`: receives the users left; may be NULL
    pub fn aclFinalizeReference(refCount: *mut u64) -> aclError;
    /// What went wrong last on this thread, or NULL. Reading clears it; the text lives until the next call on this thread.
    pub fn aclGetRecentErrMsg() -> *const c_char;
    /// Last error of a task on this thread, which stays.
    ///
    /// - `level`: `ACL_RT_THREAD_LEVEL`
    pub fn aclrtPeekAtLastError(level: aclrtLastErrLevel) -> aclError;
    /// Last error of a task on this thread, which is cleared.
    ///
    /// - `level`: `ACL_RT_THREAD_LEVEL`
    pub fn aclrtGetLastError(level: aclrtLastErrLevel) -> aclError;
    /// Version of the runtime's interface, such as 1.16.0.
    ///
    /// - `majorVersion`: receives the first number
    /// - `minorVersion`: receives the second
    /// - `patchVersion`: receives the third
    pub fn aclrtGetVersion(
        majorVersion: *mut i32,
        minorVersion: *mut i32,
        patchVersion: *mut i32,
    ) -> aclError;
    /// Version of an installed package. 100003 where the file that tells it is missing.
    ///
    /// - `name`: the package
    /// - `version`: receives the version
    pub fn aclsysGetCANNVersion(
        name: aclCANNPackageName,
        version: *mut aclCANNPackageVersion,
    ) -> aclError;
    /// Version of an installed package as text.
    ///
    /// - `pkgName`: name of the package
    /// - `versionStr`: receives the text; 128 bytes
    pub fn aclsysGetVersionStr(
        pkgName: *mut c_char,
        versionStr: *mut c_char,
    ) -> aclError;
    /// Version of an installed package as a number that grows from release to release.
    ///
    /// - `pkgName`: name of the package
    /// - `versionNum`: receives major · 10⁷ + minor · 10⁵ + patch · 10³, less some hundreds for a pre-release
    pub fn aclsysGetVersionNum(
        pkgName: *mut c_char,
        versionNum: *mut i32,
    ) -> aclError;
    /// Makes a device the current one of this thread, with its default context and stream, which the threads share. Every
    /// call wants its `aclrtResetDevice`.
    ///
    /// - `deviceId`: the device
    pub fn aclrtSetDevice(deviceId: i32) -> aclError;
    /// Takes back one `aclrtSetDevice`; the last one releases the device.
    ///
    /// - `deviceId`: the device
    pub fn aclrtResetDevice(deviceId: i32) -> aclError;
    /// Releases a device, however often it was set.
    ///
    /// - `deviceId`: the device
    pub fn aclrtResetDeviceForce(deviceId: i32) -> aclError;
    /// Current device of this thread. 107002 when there is none.
    ///
    /// - `deviceId`: receives it
    pub fn aclrtGetDevice(deviceId: *mut i32) -> aclError;
    /// Number of devices.
    ///
    /// - `count`: receives it
    pub fn aclrtGetDeviceCount(count: *mut u32) -> aclError;
    /// Where this program runs.
    ///
    /// - `runMode`: receives it
    pub fn aclrtGetRunMode(runMode: *mut aclrtRunMode) -> aclError;
    /// Waits for all work on the current device.
    pub fn aclrtSynchronizeDevice() -> aclError;
    /// Waits for all work on the current device. 507046 when the time is up.
    ///
    /// - `timeout`: milliseconds; -1 for no limit, less gives 107000
    pub fn aclrtSynchronizeDeviceWithTimeout(timeout: i32) -> aclError;
    /// Sets what float operations give on overflow, for the current device.
    ///
    /// - `mode`: the behaviour
    pub fn aclrtSetDeviceSatMode(mode: aclrtFloatOverflowMode) -> aclError;
    /// What float operations give on overflow, on the current device.
    ///
    /// - `mode`: receives the behaviour
    pub fn aclrtGetDeviceSatMode(mode: *mut aclrtFloatOverflowMode) -> aclError;
    /// Health of a device.
    ///
    /// - `deviceId`: the device
    /// - `deviceStatus`: receives it
    pub fn aclrtQueryDeviceStatus(
        deviceId: i32,
        deviceStatus: *mut aclrtDeviceStatus,
    ) -> aclError;
    /// A number that describes a device.
    ///
    /// - `deviceId`: the device
    /// - `attr`: which number
    /// - `value`: receives it
    pub fn aclrtGetDeviceInfo(
        deviceId: u32,
        attr: aclrtDevAttr,
        value: *mut i64,
    ) -> aclError;
    /// Whether a device has a feature.
    ///
    /// - `deviceId`: the device
    /// - `devFeatureType`: the feature
    /// - `value`: receives `ACL_DEV_FEATURE_SUPPORT` or `ACL_DEV_FEATURE_NOT_SUPPORT`
    pub fn aclrtGetDeviceCapability(
        deviceId: i32,
        devFeatureType: aclrtDevFeatureType,
        value: *mut i32,
    ) -> aclError;
    /// Identity of a device.
    ///
    /// - `deviceId`: the device
    /// - `uuid`: receives it
    pub fn aclrtDeviceGetUuid(deviceId: i32, uuid: *mut aclrtUuid) -> aclError;
    /// Range of the priorities of streams; a smaller number goes first.
    ///
    /// - `leastPriority`: receives the number that goes last
    /// - `greatestPriority`: receives the number that goes first
    pub fn aclrtDeviceGetStreamPriorityRange(
        leastPriority: *mut i32,
        greatestPriority: *mut i32,
    ) -> aclError;
    /// Whether a device can reach the memory of another. 100000 for equal devices.
    ///
    /// - `canAccessPeer`: receives 1 or 0
    /// - `deviceId`: the device that reaches
    /// - `peerDeviceId`: the device that is reached
    pub fn aclrtDeviceCanAccessPeer(
        canAccessPeer: *mut i32,
        deviceId: i32,
        peerDeviceId: i32,
    ) -> aclError;
    /// Lets the current device reach the memory of another. 100000 for equal devices.
    ///
    /// - `peerDeviceId`: the device that is reached
    /// - `flags`: 0; else 200006
    pub fn aclrtDeviceEnablePeerAccess(peerDeviceId: i32, flags: u32) -> aclError;
    /// Takes back `aclrtDeviceEnablePeerAccess`. 100000 for equal devices.
    ///
    /// - `peerDeviceId`: the device that was reached
    pub fn aclrtDeviceDisablePeerAccess(peerDeviceId: i32) -> aclError;
    /// Whether access is enabled.
    ///
    /// - `deviceId`: the device that reaches
    /// - `peerDeviceId`: the device that is reached
    /// - `status`: receives 1 or 0
    pub fn aclrtDevicePeerAccessStatus(
        deviceId: i32,
        peerDeviceId: i32,
        status: *mut i32,
    ) -> aclError;
    /// Makes a context on a device.
    ///
    /// - `context`: receives it
    /// - `deviceId`: the device
    pub fn aclrtCreateContext(context: *mut aclrtContext, deviceId: i32) -> aclError;
    /// Destroys a context made by `aclrtCreateContext`.
    pub fn aclrtDestroyContext(context: aclrtContext) -> aclError;
    /// Makes a context the current one of this thread.
    pub fn aclrtSetCurrentContext(context: aclrtContext) -> aclError;
    /// Current context of this thread. 107002 when there is none.
    ///
    /// - `context`: receives it
    pub fn aclrtGetCurrentContext(context: *mut aclrtContext) -> aclError;
    /// Default stream of the current context.
    ///
    /// - `stream`: receives it
    pub fn aclrtCtxGetCurrentDefaultStream(stream: *mut aclrtStream) -> aclError;
    /// A switch of the current context.
    ///
    /// - `opt`: which
    /// - `value`: receives its state
    pub fn aclrtCtxGetSysParamOpt(opt: aclSysParamOpt, value: *mut i64) -> aclError;
    /// Sets a switch of the current context.
    ///
    /// - `opt`: which
    /// - `value`: its state
    pub fn aclrtCtxSetSysParamOpt(opt: aclSysParamOpt, value: i64) -> aclError;
    /// A switch of the process. 107021 when it was never set.
    ///
    /// - `opt`: which
    /// - `value`: receives its state
    pub fn aclrtGetSysParamOpt(opt: aclSysParamOpt, value: *mut i64) -> aclError;
    /// Sets a switch of the process.
    ///
    /// - `opt`: which
    /// - `value`: its state
    pub fn aclrtSetSysParamOpt(opt: aclSysParamOpt, value: i64) -> aclError;
    /// Limits how long a stream waits for an event.
    ///
    /// - `timeout`: the limit
    pub fn aclrtSetOpWaitTimeout(timeout: u32) -> aclError;
    /// Limits how long an operator runs.
    ///
    /// - `timeout`: the limit
    pub fn aclrtSetOpExecuteTimeOut(timeout: u32) -> aclError;
    /// Limits how long an operator runs.
    ///
    /// - `timeout`: milliseconds
    pub fn aclrtSetOpExecuteTimeOutWithMs(timeout: u32) -> aclError;
    /// Limits how long an operator runs.
    ///
    /// - `timeout`: the limit
    /// - `actualTimeout`: receives the limit that the hardware keeps
    pub fn aclrtSetOpExecuteTimeOutV2(timeout: u64, actualTimeout: *mut u64) -> aclError;
    /// Step in which the hardware keeps time limits.
    ///
    /// - `interval`: receives the step
    pub fn aclrtGetOpTimeOutInterval(interval: *mut u64) -> aclError;
    /// Makes a stream in the current context.
    ///
    /// - `stream`: receives it
    pub fn aclrtCreateStream(stream: *mut aclrtStream) -> aclError;
    /// Makes a stream in the current context.
    ///
    /// - `stream`: receives it
    /// - `priority`: smaller goes first
    /// - `flag`: a sum of `ACL_STREAM_…`
    pub fn aclrtCreateStreamWithConfig(
        stream: *mut aclrtStream,
        priority: u32,
        flag: u32,
    ) -> aclError;
    /// Waits for the work of a stream and destroys it.
    pub fn aclrtDestroyStream(stream: aclrtStream) -> aclError;
    /// Destroys a stream at once, with the work left in it.
    pub fn aclrtDestroyStreamForce(stream: aclrtStream) -> aclError;
    /// Waits for the work of a stream. One made with PERSISTENT, CPU_SCHEDULE or DEVICE_USE_ONLY is not waited for.
    pub fn aclrtSynchronizeStream(stream: aclrtStream) -> aclError;
    /// Waits for the work of a stream. 507046 when the time is up.
    ///
    /// - `stream`: the stream
    /// - `timeout`: milliseconds; -1 for no limit, less gives 107000
    pub fn aclrtSynchronizeStreamWithTimeout(
        stream: aclrtStream,
        timeout: i32,
    ) -> aclError;
    /// Whether a stream has work left.
    ///
    /// - `stream`: the stream
    /// - `status`: receives the answer
    pub fn aclrtStreamQuery(
        stream: aclrtStream,
        status: *mut aclrtStreamStatus,
    ) -> aclError;
    /// Number of a stream.
    ///
    /// - `stream`: the stream
    /// - `streamId`: receives it
    pub fn aclrtStreamGetId(stream: aclrtStream, streamId: *mut i32) -> aclError;
    /// Priority of a stream; smaller goes first.
    ///
    /// - `stream`: the stream
    /// - `priority`: receives it
    pub fn aclrtStreamGetPriority(stream: aclrtStream, priority: *mut u32) -> aclError;
    /// Flags that a stream was made with.
    ///
    /// - `stream`: the stream
    /// - `flags`: receives the sum of `ACL_STREAM_…`
    pub fn aclrtStreamGetFlags(stream: aclrtStream, flags: *mut u32) -> aclError;
    /// Lets a stream wait for an event before its next work.
    ///
    /// - `stream`: the stream
    /// - `event`: the event
    pub fn aclrtStreamWaitEvent(stream: aclrtStream, event: aclrtEvent) -> aclError;
    /// Lets a stream wait for an event before its next work, for a while.
    ///
    /// - `stream`: the stream
    /// - `event`: the event
    /// - `timeout`: milliseconds, at least 0
    pub fn aclrtStreamWaitEventWithTimeout(
        stream: aclrtStream,
        event: aclrtEvent,
        timeout: i32,
    ) -> aclError;
    /// Throws away the work left in a stream.
    pub fn aclrtStreamAbort(stream: aclrtStream) -> aclError;
    /// What a stream does after a failed task.
    ///
    /// - `stream`: the stream
    /// - `mode`: `ACL_CONTINUE_ON_FAILURE` or `ACL_STOP_ON_FAILURE`
    pub fn aclrtSetStreamFailureMode(stream: aclrtStream, mode: u64) -> aclError;
    /// Number of streams that can still be made.
    ///
    /// - `streamCount`: receives it
    pub fn aclrtGetStreamAvailableNum(streamCount: *mut u32) -> aclError;
    /// Makes an event that may be recorded and waited for, and not reset.
    ///
    /// - `event`: receives it
    pub fn aclrtCreateEvent(event: *mut aclrtEvent) -> aclError;
    /// Makes an event.
    ///
    /// - `event`: receives it
    /// - `flag`: a sum of `ACL_EVENT_…`
    pub fn aclrtCreateEventWithFlag(event: *mut aclrtEvent, flag: u32) -> aclError;
    /// Makes an event that may be recorded again, and not be used with `aclrtResetEvent`, `aclrtQueryEvent` or
    /// `aclrtQueryEventWaitStatus`. Before its first record it counts as complete.
    ///
    /// - `event`: receives it
    /// - `flag`: a sum of `ACL_EVENT_…`
    pub fn aclrtCreateEventExWithFlag(event: *mut aclrtEvent, flag: u32) -> aclError;
    /// Destroys an event, which need not have come to pass.
    pub fn aclrtDestroyEvent(event: aclrtEvent) -> aclError;
    /// Marks the work given to a stream so far.
    ///
    /// - `event`: the mark
    /// - `stream`: the stream
    pub fn aclrtRecordEvent(event: aclrtEvent, stream: aclrtStream) -> aclError;
    /// Makes an event as if it had never been recorded, in the order of a stream.
    ///
    /// - `event`: the event
    /// - `stream`: the stream
    pub fn aclrtResetEvent(event: aclrtEvent, stream: aclrtStream) -> aclError;
    /// Whether an event has come to pass. 0 is complete, unlike `aclrtQueryEventStatus`.
    ///
    /// - `event`: the event
    /// - `status`: receives the answer
    pub fn aclrtQueryEvent(event: aclrtEvent, status: *mut aclrtEventStatus) -> aclError;
    /// Whether an event has come to pass. 1 is complete, unlike `aclrtQueryEvent`.
    ///
    /// - `event`: the event
    /// - `status`: receives the answer
    pub fn aclrtQueryEventStatus(
        event: aclrtEvent,
        status: *mut aclrtEventRecordedStatus,
    ) -> aclError;
    /// Whether the streams that wait for an event have passed it.
    ///
    /// - `event`: the event
    /// - `status`: receives the answer
    pub fn aclrtQueryEventWaitStatus(
        event: aclrtEvent,
        status: *mut aclrtEventWaitStatus,
    ) -> aclError;
    /// Waits until an event has come to pass.
    pub fn aclrtSynchronizeEvent(event: aclrtEvent) -> aclError;
    /// Waits until an event has come to pass. 507047 when the time is up.
    ///
    /// - `event`: the event
    /// - `timeout`: milliseconds; -1 for no limit, less gives 107000
    pub fn aclrtSynchronizeEventWithTimeout(event: aclrtEvent, timeout: i32) -> aclError;
    /// Time between two events that keep the time.
    ///
    /// - `ms`: receives milliseconds
    /// - `startEvent`: the earlier event
    /// - `endEvent`: the later event
    pub fn aclrtEventElapsedTime(
        ms: *mut f32,
        startEvent: aclrtEvent,
        endEvent: aclrtEvent,
    ) -> aclError;
    /// Time at which an event that keeps the time came to pass.
    ///
    /// - `event`: the event
    /// - `timestamp`: receives the time
    pub fn aclrtEventGetTimestamp(event: aclrtEvent, timestamp: *mut u64) -> aclError;
    /// Number of an event.
    ///
    /// - `event`: the event
    /// - `eventId`: receives it
    pub fn aclrtGetEventId(event: aclrtEvent, eventId: *mut u32) -> aclError;
    /// Number of events that can still be made.
    ///
    /// - `eventCount`: receives it
    pub fn aclrtGetEventAvailNum(eventCount: *mut u32) -> aclError;
    /// Calls a function on a thread of the runtime when a stream gets there; the stream waits for it. Not on a stream that
    /// also uses `aclrtLaunchCallback`.
    ///
    /// - `stream`: the stream
    /// - `fn`: the function
    /// - `args`: passed to it
    pub fn aclrtLaunchHostFunc(
        stream: aclrtStream,
        fn_: aclrtHostFunc,
        args: *mut c_void,
    ) -> aclError;
    /// Calls a function on the subscribed thread when a stream gets there.
    ///
    /// - `fn`: the function
    /// - `userData`: passed to it
    /// - `blockType`: whether the stream waits for it
    /// - `stream`: the stream
    pub fn aclrtLaunchCallback(
        fn_: aclrtCallback,
        userData: *mut c_void,
        blockType: aclrtCallbackBlockType,
        stream: aclrtStream,
    ) -> aclError;
    /// Lets a thread run the callbacks of a stream.
    ///
    /// - `threadId`: the thread, as `pthread_self` names it
    /// - `stream`: the stream
    pub fn aclrtSubscribeReport(threadId: u64, stream: aclrtStream) -> aclError;
    /// Runs the callbacks that are due on this thread. 507012 when the time is up, 107012 for a thread that never subscribed.
    ///
    /// - `timeout`: milliseconds, more than 0; -1 for no limit, others give 100000
    pub fn aclrtProcessReport(timeout: i32) -> aclError;
    /// Takes back `aclrtSubscribeReport`.
    ///
    /// - `threadId`: the thread
    /// - `stream`: the stream
    pub fn aclrtUnSubscribeReport(threadId: u64, stream: aclrtStream) -> aclError;
    /// Takes device memory, aligned to 64 bytes, contents undefined, with 32 bytes to spare behind it. 100000 for 0 bytes.
    ///
    /// - `devPtr`: receives the address
    /// - `size`: bytes
    /// - `policy`: size of the pages
    pub fn aclrtMalloc(
        devPtr: *mut *mut c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
    ) -> aclError;
    /// Takes device memory in multiples of 32 bytes, with nothing to spare behind it. 100000 for 0 bytes.
    ///
    /// - `devPtr`: receives the address
    /// - `size`: bytes
    /// - `policy`: size of the pages
    pub fn aclrtMallocAlign32(
        devPtr: *mut *mut c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
    ) -> aclError;
    /// Takes device memory that is cached. 100000 for 0 bytes.
    ///
    /// - `devPtr`: receives the address
    /// - `size`: bytes
    /// - `policy`: size of the pages
    pub fn aclrtMallocCached(
        devPtr: *mut *mut c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
    ) -> aclError;
    /// Takes device memory with attributes. 100000 for 0 bytes.
    ///
    /// - `devPtr`: receives the address
    /// - `size`: bytes
    /// - `policy`: size of the pages
    /// - `cfg`: attributes; may be NULL
    pub fn aclrtMallocWithCfg(
        devPtr: *mut *mut c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
        cfg: *mut aclrtMallocConfig,
    ) -> aclError;
    /// Releases device memory, without waiting for work that uses it. 100000 for NULL.
    pub fn aclrtFree(devPtr: *mut c_void) -> aclError;
    /// Waits for all work on the device and releases device memory. 100000 for NULL.
    pub fn aclrtFreeWithDevSync(devPtr: *mut c_void) -> aclError;
    /// Takes pinned host memory, aligned to 64 bytes. 100000 for 0 bytes.
    ///
    /// - `hostPtr`: receives the address
    /// - `size`: bytes
    pub fn aclrtMallocHost(
        hostPtr: *mut *mut c_void,
        size: usize,
    ) -> aclError;
    /// Takes pinned host memory with attributes. 100000 for 0 bytes.
    ///
    /// - `ptr`: receives the address
    /// - `size`: bytes
    /// - `cfg`: attributes; may be NULL
    pub fn aclrtMallocHostWithCfg(
        ptr: *mut *mut c_void,
        size: u64,
        cfg: *mut aclrtMallocConfig,
    ) -> aclError;
    /// Releases pinned host memory. 100000 for NULL.
    pub fn aclrtFreeHost(hostPtr: *mut c_void) -> aclError;
    /// Waits for all work on the device and releases pinned host memory. 100000 for NULL.
    pub fn aclrtFreeHostWithDevSync(hostPtr: *mut c_void) -> aclError;
    /// Copies at once. The direction follows from the pointers. Copying 0 bytes succeeds from CANN 9.1 on and gives 107000
    /// before.
    ///
    /// - `dst`: where to
    /// - `destMax`: bytes there; less than `count` gives 107000
    /// - `src`: where from
    /// - `count`: bytes to copy
    /// - `kind`: direction
    pub fn aclrtMemcpy(
        dst: *mut c_void,
        destMax: usize,
        src: *const c_void,
        count: usize,
        kind: aclrtMemcpyKind,
    ) -> aclError;
    /// Copies when a stream gets there; both sides must live until then. From host to host gives 207000.
    ///
    /// - `dst`: where to
    /// - `destMax`: bytes there; less than `count` gives 107000
    /// - `src`: where from
    /// - `count`: bytes to copy
    /// - `kind`: direction
    /// - `stream`: the stream
    pub fn aclrtMemcpyAsync(
        dst: *mut c_void,
        destMax: usize,
        src: *const c_void,
        count: usize,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError;
    /// Copies a rectangle at once. Not from host to host.
    ///
    /// - `dst`: where to
    /// - `dpitch`: bytes from one row to the next there
    /// - `src`: where from
    /// - `spitch`: bytes from one row to the next there
    /// - `width`: bytes of a row; more than a pitch gives 100000
    /// - `height`: rows
    /// - `kind`: direction
    pub fn aclrtMemcpy2d(
        dst: *mut c_void,
        dpitch: usize,
        src: *const c_void,
        spitch: usize,
        width: usize,
        height: usize,
        kind: aclrtMemcpyKind,
    ) -> aclError;
    /// Copies a rectangle when a stream gets there. Not from host to host.
    ///
    /// - `dst`: where to
    /// - `dpitch`: bytes from one row to the next there
    /// - `src`: where from
    /// - `spitch`: bytes from one row to the next there
    /// - `width`: bytes of a row; more than a pitch gives 100000
    /// - `height`: rows
    /// - `kind`: direction
    /// - `stream`: the stream
    pub fn aclrtMemcpy2dAsync(
        dst: *mut c_void,
        dpitch: usize,
        src: *const c_void,
        spitch: usize,
        width: usize,
        height: usize,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError;
    /// Sets bytes at once. Setting 0 bytes succeeds from CANN 9.1 on and gives 107000 before.
    ///
    /// - `devPtr`: where
    /// - `maxCount`: bytes there; less than `count` gives 107000
    /// - `value`: the byte
    /// - `count`: bytes to set
    pub fn aclrtMemset(
        devPtr: *mut c_void,
        maxCount: usize,
        value: i32,
        count: usize,
    ) -> aclError;
    /// Sets bytes when a stream gets there.
    ///
    /// - `devPtr`: where
    /// - `maxCount`: bytes there; less than `count` gives 107000
    /// - `value`: the byte
    /// - `count`: bytes to set
    /// - `stream`: the stream
    pub fn aclrtMemsetAsync(
        devPtr: *mut c_void,
        maxCount: usize,
        value: i32,
        count: usize,
        stream: aclrtStream,
    ) -> aclError;
    /// Sets words of 32 bits at once. CANN 9.1 and later.
    ///
    /// - `ptr`: where
    /// - `memSize`: bytes there
    /// - `value`: the word
    /// - `N`: words to set
    pub fn aclrtMemsetD32(
        ptr: *mut c_void,
        memSize: usize,
        value: u32,
        N: usize,
    ) -> aclError;
    /// Sets words of 32 bits when a stream gets there. CANN 9.1 and later.
    ///
    /// - `ptr`: where
    /// - `memSize`: bytes there
    /// - `value`: the word
    /// - `N`: words to set
    /// - `stream`: the stream
    pub fn aclrtMemsetD32Async(
        ptr: *mut c_void,
        memSize: usize,
        value: u32,
        N: usize,
        stream: aclrtStream,
    ) -> aclError;
    /// Free and total memory of the current device.
    ///
    /// - `attr`: kind of memory
    /// - `free`: receives bytes
    /// - `total`: receives bytes
    pub fn aclrtGetMemInfo(
        attr: aclrtMemAttr,
        free: *mut usize,
        total: *mut usize,
    ) -> aclError;
    /// Memory taken by the modules of a device.
    ///
    /// - `deviceId`: the device
    /// - `memUsageInfo`: receives one entry per module
    /// - `inputNum`: entries there
    /// - `outputNum`: receives the entries written
    pub fn aclrtGetMemUsageInfo(
        deviceId: i32,
        memUsageInfo: *mut aclrtMemUsageInfo,
        inputNum: usize,
        outputNum: *mut usize,
    ) -> aclError;
    /// What a pointer points to.
    ///
    /// - `ptr`: the pointer
    /// - `attributes`: receives the answer
    pub fn aclrtPointerGetAttributes(
        ptr: *const c_void,
        attributes: *mut aclrtPtrAttributes,
    ) -> aclError;
    /// Lets the device reach host memory.
    ///
    /// - `ptr`: start
    /// - `size`: bytes
    /// - `type`: how
    /// - `devPtr`: receives the address on the device
    pub fn aclrtHostRegister(
        ptr: *mut c_void,
        size: u64,
        type_: aclrtHostRegisterType,
        devPtr: *mut *mut c_void,
    ) -> aclError;
    /// Pins host memory, or lets the device reach it.
    ///
    /// - `ptr`: start
    /// - `size`: bytes
    /// - `flag`: a sum of `ACL_HOST_REG_…`
    pub fn aclrtHostRegisterV2(
        ptr: *mut c_void,
        size: u64,
        flag: u32,
    ) -> aclError;
    /// Takes back `aclrtHostRegister` or `aclrtHostRegisterV2`.
    pub fn aclrtHostUnregister(ptr: *mut c_void) -> aclError;
    /// Address on the device of registered host memory.
    ///
    /// - `pHost`: address on the host
    /// - `pDevice`: receives the address on the device
    /// - `flag`: 0
    pub fn aclrtHostGetDevicePointer(
        pHost: *mut c_void,
        pDevice: *mut *mut c_void,
        flag: u32,
    ) -> aclError;
    /// Reserves addresses.
    ///
    /// - `virPtr`: receives the first
    /// - `size`: bytes
    /// - `alignment`: 0
    /// - `expectPtr`: address to prefer; may be NULL
    /// - `flags`: 0
    pub fn aclrtReserveMemAddress(
        virPtr: *mut *mut c_void,
        size: usize,
        alignment: usize,
        expectPtr: *mut c_void,
        flags: u64,
    ) -> aclError;
    /// Takes back `aclrtReserveMemAddress`.
    pub fn aclrtReleaseMemAddress(virPtr: *mut c_void) -> aclError;
    /// Takes physical memory.
    ///
    /// - `handle`: receives it
    /// - `size`: bytes, a multiple of the granularity
    /// - `prop`: its properties
    /// - `flags`: 0
    pub fn aclrtMallocPhysical(
        handle: *mut aclrtDrvMemHandle,
        size: usize,
        prop: *const aclrtPhysicalMemProp,
        flags: u64,
    ) -> aclError;
    /// Releases physical memory.
    pub fn aclrtFreePhysical(handle: aclrtDrvMemHandle) -> aclError;
    /// Puts physical memory at reserved addresses.
    ///
    /// - `virPtr`: the first address, anywhere in a reserved range
    /// - `size`: bytes, as many as the physical memory has
    /// - `offset`: 0
    /// - `handle`: the physical memory
    /// - `flags`: 0
    pub fn aclrtMapMem(
        virPtr: *mut c_void,
        size: usize,
        offset: usize,
        handle: aclrtDrvMemHandle,
        flags: u64,
    ) -> aclError;
    /// Takes back `aclrtMapMem`.
    pub fn aclrtUnmapMem(virPtr: *mut c_void) -> aclError;
    /// Step in which physical memory is taken.
    ///
    /// - `prop`: its properties
    /// - `option`: which step
    /// - `granularity`: receives bytes
    pub fn aclrtMemGetAllocationGranularity(
        prop: *mut aclrtPhysicalMemProp,
        option: aclrtMemGranularityOptions,
        granularity: *mut usize,
    ) -> aclError;
    /// Sets what devices may do with mapped memory.
    ///
    /// - `virPtr`: start
    /// - `size`: bytes
    /// - `desc`: one entry per device
    /// - `count`: entries
    pub fn aclrtMemSetAccess(
        virPtr: *mut c_void,
        size: usize,
        desc: *mut aclrtMemAccessDesc,
        count: usize,
    ) -> aclError;
    /// What a device may do with mapped memory.
    ///
    /// - `virPtr`: an address in it
    /// - `location`: the device
    /// - `flag`: receives an `aclrtMemAccessFlags`
    pub fn aclrtMemGetAccess(
        virPtr: *mut c_void,
        location: *mut aclrtMemLocation,
        flag: *mut u64,
    ) -> aclError;
    /// Physical memory behind a mapped address.
    ///
    /// - `virPtr`: the address
    /// - `handle`: receives the physical memory
    pub fn aclrtMemRetainAllocationHandle(
        virPtr: *mut c_void,
        handle: *mut aclrtDrvMemHandle,
    ) -> aclError;
    /// Properties of physical memory.
    ///
    /// - `handle`: the physical memory
    /// - `prop`: receives them
    pub fn aclrtMemGetAllocationPropertiesFromHandle(
        handle: aclrtDrvMemHandle,
        prop: *mut aclrtPhysicalMemProp,
    ) -> aclError;
    /// Sets an option for the operators compiled from now on.
    ///
    /// - `opt`: which
    /// - `value`: text that ends with NUL
    pub fn aclSetCompileopt(
        opt: aclCompileOpt,
        value: *const c_char,
    ) -> aclError;
    /// Reads an option.
    ///
    /// - `opt`: which
    /// - `value`: buffer for the text
    /// - `length`: bytes of the buffer; `aclGetCompileoptSize` tells how many are needed
    pub fn aclGetCompileopt(
        opt: aclCompileOpt,
        value: *mut c_char,
        length: usize,
    ) -> aclError;
    /// Bytes that `aclGetCompileopt` needs for an option.
    pub fn aclGetCompileoptSize(opt: aclCompileOpt) -> usize;

    variadic:
    /// Writes one line to CANN's log.
    ///
    /// - `logLevel`: weight of the line
    /// - `func`: name of the calling function
    /// - `file`: name of the source file
    /// - `line`: line in it
    /// - `fmt`: format as of printf, followed by its arguments
    pub fn aclAppLog(
        logLevel: aclLogLevel,
        func: *const c_char,
        file: *const c_char,
        line: u32,
        fmt: *const c_char,
        ...
    );
}

table! {
    /// Tensors, scalars, arrays, lists, executors.
    pub struct Meta, types in meta_pfn;

    /// Describes elements in device memory. Dimensions and strides are copied, the memory is borrowed. NULL on failure.
    ///
    /// - `viewDims`: lengths of the dimensions; NULL with a count of 0 describes a single element
    /// - `viewDimsNum`: number of dimensions
    /// - `dataType`: type of the elements
    /// - `stride`: elements from one index to the next, per dimension; NULL for row-major without gaps
    /// - `offset`: elements from the start of the storage to the first one, at least 0
    /// - `format`: order in memory
    /// - `storageDims`: lengths of the dimensions of the storage
    /// - `storageDimsNum`: number of dimensions of the storage
    /// - `tensorData`: start of the storage; may be NULL and set later
    pub fn aclCreateTensor(
        viewDims: *const i64,
        viewDimsNum: u64,
        dataType: aclDataType,
        stride: *const i64,
        offset: i64,
        format: aclFormat,
        storageDims: *const i64,
        storageDimsNum: u64,
        tensorData: *mut c_void,
    ) -> *mut aclTensor;
    /// Copies one number from host memory. NULL where value is NULL or the type is not supported.
    ///
    /// - `value`: the number
    /// - `dataType`: its type
    pub fn aclCreateScalar(
        value: *mut c_void,
        dataType: aclDataType,
    ) -> *mut aclScalar;
    /// Copies numbers; NULL or no elements give an empty array.
    ///
    /// - `value`: the numbers
    /// - `size`: how many
    pub fn aclCreateIntArray(value: *const i64, size: u64) -> *mut aclIntArray;
    /// Copies numbers; NULL or no elements give an empty array.
    ///
    /// - `value`: the numbers
    /// - `size`: how many
    pub fn aclCreateFloatArray(value: *const f32, size: u64) -> *mut aclFloatArray;
    /// Copies truth values; NULL or no elements give an empty array.
    ///
    /// - `value`: the values, one byte each
    /// - `size`: how many
    pub fn aclCreateBoolArray(value: *const bool, size: u64) -> *mut aclBoolArray;
    /// Makes a list that owns its tensors: they are destroyed with it and not by the caller.
    ///
    /// - `value`: the tensors
    /// - `size`: how many
    pub fn aclCreateTensorList(
        value: *const *const aclTensor,
        size: u64,
    ) -> *mut aclTensorList;
    /// Makes a list that owns its scalars: they are destroyed with it and not by the caller.
    ///
    /// - `value`: the scalars
    /// - `size`: how many
    pub fn aclCreateScalarList(
        value: *const *const aclScalar,
        size: u64,
    ) -> *mut aclScalarList;
    /// Frees the description, not the memory described. NULL is accepted.
    pub fn aclDestroyTensor(tensor: *const aclTensor) -> aclnnStatus;
    /// Frees a scalar. NULL is accepted.
    pub fn aclDestroyScalar(scalar: *const aclScalar) -> aclnnStatus;
    /// Frees an array. NULL is accepted.
    pub fn aclDestroyIntArray(array: *const aclIntArray) -> aclnnStatus;
    /// Frees an array. NULL is accepted.
    pub fn aclDestroyFloatArray(array: *const aclFloatArray) -> aclnnStatus;
    /// Frees an array. NULL is accepted.
    pub fn aclDestroyBoolArray(array: *const aclBoolArray) -> aclnnStatus;
    /// Frees a list and every tensor in it. NULL is accepted.
    pub fn aclDestroyTensorList(array: *const aclTensorList) -> aclnnStatus;
    /// Frees a list and every scalar in it. NULL is accepted.
    pub fn aclDestroyScalarList(array: *const aclScalarList) -> aclnnStatus;
    /// Lengths of the dimensions. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `viewDims`: receives an array made with C++ `new int64_t[]`, which the caller owns
    /// - `viewDimsNum`: receives its length
    pub fn aclGetViewShape(
        tensor: *const aclTensor,
        viewDims: *mut *mut i64,
        viewDimsNum: *mut u64,
    ) -> aclnnStatus;
    /// Lengths of the dimensions of the storage. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `storageDims`: receives an array made with C++ `new int64_t[]`, which the caller owns
    /// - `storageDimsNum`: receives its length
    pub fn aclGetStorageShape(
        tensor: *const aclTensor,
        storageDims: *mut *mut i64,
        storageDimsNum: *mut u64,
    ) -> aclnnStatus;
    /// Strides in elements. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `stridesValue`: receives an array made with C++ `new int64_t[]`, which the caller owns
    /// - `stridesNum`: receives its length
    pub fn aclGetViewStrides(
        tensor: *const aclTensor,
        stridesValue: *mut *mut i64,
        stridesNum: *mut u64,
    ) -> aclnnStatus;
    /// Elements from the start of the storage to the first one. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `offset`: receives the number
    pub fn aclGetViewOffset(tensor: *const aclTensor, offset: *mut i64) -> aclnnStatus;
    /// Order in memory. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `format`: receives it
    pub fn aclGetFormat(tensor: *const aclTensor, format: *mut aclFormat) -> aclnnStatus;
    /// Type of the elements. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `dataType`: receives it
    pub fn aclGetDataType(
        tensor: *const aclTensor,
        dataType: *mut aclDataType,
    ) -> aclnnStatus;
    /// Number of elements. 161001 for NULL.
    pub fn aclGetIntArraySize(array: *const aclIntArray, size: *mut u64) -> aclnnStatus;
    /// Number of elements. 161001 for NULL.
    pub fn aclGetFloatArraySize(
        array: *const aclFloatArray,
        size: *mut u64,
    ) -> aclnnStatus;
    /// Number of elements. 161001 for NULL.
    pub fn aclGetBoolArraySize(
        array: *const aclBoolArray,
        size: *mut u64,
    ) -> aclnnStatus;
    /// Number of tensors. 161001 for NULL.
    pub fn aclGetTensorListSize(
        tensorList: *const aclTensorList,
        size: *mut u64,
    ) -> aclnnStatus;
    /// Number of scalars. 161001 for NULL.
    pub fn aclGetScalarListSize(
        scalarList: *const aclScalarList,
        size: *mut u64,
    ) -> aclnnStatus;
    /// Describes other elements with the same object. NULL dimensions or memory keep what was there; a NULL tensor gives 161001.
    ///
    /// - `tensor`: the tensor
    /// - `viewDims`: as of `aclCreateTensor`, like all that follow
    pub fn aclInitTensor(
        tensor: *mut aclTensor,
        viewDims: *const i64,
        viewDimsNum: u64,
        dataType: aclDataType,
        stride: *const i64,
        offset: i64,
        format: aclFormat,
        storageDims: *const i64,
        storageDimsNum: u64,
        tensorData: *mut c_void,
    ) -> aclnnStatus;
    /// Moves a tensor to another storage. 161001 for a NULL tensor.
    ///
    /// - `tensor`: the tensor
    /// - `addr`: start of the storage; the offset of the tensor comes on top
    pub fn aclSetRawTensorAddr(
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Start of the storage, without the offset. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `addr`: receives it
    pub fn aclGetRawTensorAddr(
        tensor: *const aclTensor,
        addr: *mut *mut c_void,
    ) -> aclnnStatus;
    /// Lets an executor be launched more than once; called between phase one and the first launch. 561103 for NULL, 561000
    /// where the operator cannot be repeated.
    pub fn aclSetAclOpExecutorRepeatable(executor: *mut aclOpExecutor) -> aclnnStatus;
    /// Frees a repeatable executor, or one that was never launched. 561103 for NULL.
    pub fn aclDestroyAclOpExecutor(executor: *mut aclOpExecutor) -> aclnnStatus;
    /// Moves an input of a repeatable executor to another storage. 561103 for NULL.
    ///
    /// - `executor`: the executor
    /// - `index`: number of the input
    /// - `tensor`: the tensor given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetInputTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves an output of a repeatable executor to another storage. 561103 for NULL.
    ///
    /// - `executor`: the executor
    /// - `index`: number of the output
    /// - `tensor`: the tensor given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetOutputTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves an operand of a repeatable executor to another storage. 561103 for NULL.
    ///
    /// - `executor`: the executor
    /// - `index`: number of the operand
    /// - `tensor`: the tensor given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves a tensor of an input list of a repeatable executor. 161002 beyond the end of the list.
    ///
    /// - `executor`: the executor
    /// - `irIndex`: number of the input
    /// - `relativeIndex`: number of the tensor in the list
    /// - `tensors`: the list given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetDynamicInputTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves a tensor of an output list of a repeatable executor. 161002 beyond the end of the list.
    ///
    /// - `executor`: the executor
    /// - `irIndex`: number of the output
    /// - `relativeIndex`: number of the tensor in the list
    /// - `tensors`: the list given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetDynamicOutputTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves a tensor of a list of a repeatable executor. 161002 beyond the end of the list.
    ///
    /// - `executor`: the executor
    /// - `irIndex`: number of the operand
    /// - `relativeIndex`: number of the tensor in the list
    /// - `tensors`: the list given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetDynamicTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Another name of `aclSetInputTensorAddr`.
    pub fn AclSetInputTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Another name of `aclSetOutputTensorAddr`.
    pub fn AclSetOutputTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Another name of `aclSetTensorAddr`.
    pub fn AclSetTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Another name of `aclSetDynamicInputTensorAddr`.
    pub fn AclSetDynamicInputTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Another name of `aclSetDynamicOutputTensorAddr`.
    pub fn AclSetDynamicOutputTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Another name of `aclSetDynamicTensorAddr`.
    pub fn AclSetDynamicTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Writes tensors of a call to the dump directory. CANN 9.0 and later. 161001 where a pointer, the stream included, is NULL.
    ///
    /// - `opType`: type of the operator
    /// - `opName`: name of the call
    /// - `tensors`: inputs, then outputs
    /// - `inputTensorNum`: how many are inputs
    /// - `outputTensorNum`: how many are outputs
    /// - `stream`: where the tensors are computed
    pub fn aclDumpOpTensors(
        opType: *const c_char,
        opName: *const c_char,
        tensors: *mut *mut aclTensor,
        inputTensorNum: usize,
        outputTensorNum: usize,
        stream: aclrtStream,
    ) -> aclnnStatus;
    /// Initialises the operator library. Not needed where `aclInit` was called. Once per process.
    ///
    /// - `configPath`: a JSON file; may be NULL
    pub fn aclnnInit(configPath: *const c_char) -> aclnnStatus;
    /// Releases what `aclnnInit` took.
    pub fn aclnnFinalize() -> aclnnStatus;
}
